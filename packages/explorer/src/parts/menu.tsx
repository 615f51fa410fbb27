/** A button that opens a box below itself. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** The button with its box. Escape, which goes back to the button, and a press beside the box close it. */
export function Menu(props: {
  label: ComponentChildren
  /** Says how the box is laid out, beside `menu-box`. */
  class?: string
  /** What is in it asks the world. */
  asks?: boolean
  /** Called with whether it is open, each time that changes. */
  onToggle?: (isOpen: boolean) => void
  children: ComponentChildren
}) {
  const { label, asks, onToggle, children } = props
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDetailsElement>(null)

  useEffect(() => {
    if (!isOpen) return
    const close = () => {
      if (menu.current !== null) menu.current.open = false
    }
    const onPress = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
      menu.current?.querySelector('summary')?.focus()
    }
    // Before whatever else is pressed, or takes the key, does something of its own.
    document.addEventListener('pointerdown', onPress, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [isOpen])

  return (
    <details
      class="menu"
      ref={menu}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        onToggle?.(currentTarget.open)
      }}
      {...(asks === true && { 'data-asks': '' })}
    >
      <summary class="button small">{label}</summary>
      <div class={`menu-box ${props.class ?? ''}`}>{children}</div>
    </details>
  )
}
