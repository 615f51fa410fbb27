/** A box of the filters, for a text that counts once it is left. */
import type { InputHTMLAttributes } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * The box; `onText` takes what stands in it when it is left. It shows `text` whenever that changes, as it does by back and
 * forward too; until then the text is the visitor's. A `value` given to the element itself would put back what stood there,
 * each time that counts or rows come in.
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
