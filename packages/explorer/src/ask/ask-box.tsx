/** Filter box whose text takes effect when the box loses focus. */
import type { InputHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Input that calls `onText` with its text on blur. When `text` changes, for example after Back, it replaces what the user
 * typed. The element has no `value` property, which would reset the typed text on every render.
 */
export function AskBox({
  text,
  onText,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { text: string; onText: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null) box.current.value = text
  }, [text])
  return (
    <input class="field small" ref={box} {...rest} onChange={(event) => onText(event.currentTarget.value)} />
  )
}
