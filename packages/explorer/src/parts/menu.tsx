/** A button that opens a box below itself. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The button with its box. Escape, which goes back to the button, and a press beside the box close it. */
export function Menu(props: {
  label: ComponentChildren
  /** Layout of the box, in addition to `menu-box`. */
  class?: string
  /** True if its content asks the world. */
  asks?: boolean
  /** Called with the new state whenever it opens or closes. */
  onToggle?: (isOpen: boolean) => void
  children: ComponentChildren
}) {
  const { label, asks, onToggle, children } = props
  const menu = useRef<HTMLDetailsElement>(null)

  // Listens from the start, not from its opening: a key can directly follow the press that opens it.
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
    // In the capture phase, before the handlers of whatever is pressed or takes the key.
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
      <summary class="button small">{label}</summary>
      <div class={`menu-box ${props.class ?? ''}`}>{children}</div>
    </details>
  )
}
