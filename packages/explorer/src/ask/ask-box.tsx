/** A filter box whose text takes effect on blur. */
import type { InputHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * The box; `onText` is called with its text on blur. The box shows `text` whenever that changes, also by back and forward;
 * until then it keeps what the user typed. A `value` on the element itself would reset the typed text each time that counts
 * or rows arrive.
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
