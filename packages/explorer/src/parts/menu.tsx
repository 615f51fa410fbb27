/** Menu button that opens a box below itself. */
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Menu button with its box. A press outside closes the box. Escape closes it too and returns focus to the button. */
export function Menu(props: {
  label: string
  icon?: FunctionComponent
  /** Class of the box, in addition to `menu-box`. */
  class?: string
  /** True if controls in the box change the address. They then keep the focus. */
  asks?: boolean
  /** Called with the new state when the box opens or closes. */
  onToggle?: (isOpen: boolean) => void
  children: ComponentChildren
}) {
  const { label, icon: Icon, asks, onToggle, children } = props
  const menu = useRef<HTMLDetailsElement>(null)

  // Listen from the first render, because a key may directly follow the press that opens the box.
  useLayoutEffect(() => {
    const onPress = (event: Event) => {
      const details = menu.current
      if (details?.open && !details.contains(event.target as Node)) details.open = false
    }
    const onKey = (event: KeyboardEvent) => {
      const details = menu.current
      if (event.key !== 'Escape' || !details?.open) return
      event.stopPropagation()
      details.open = false
      details.querySelector('summary')?.focus()
    }
    // In the capture phase, so that these listeners run before those of the event target.
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [])

  return (
    <details
      class="menu"
      ref={menu}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      {...(asks === true && { 'data-asks': '' })}
    >
      <summary class="button small">
        {Icon && <Icon />}
        <span>{label}</span>
      </summary>
      <div class={`menu-box ${props.class ?? ''}`}>{children}</div>
    </details>
  )
}
