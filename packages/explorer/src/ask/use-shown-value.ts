/** The text of a box between the moments at which it counts. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * For the `ref` of a text box that is read when it is left: shows `value` whenever that changes, as it does by back and
 * forward too. Until then the text is the visitor's. A `value` given to the element itself would put back what stood there,
 * each time that counts or rows come in.
 */
export function useShownValue(value: string): RefObject<HTMLInputElement | null> {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null) box.current.value = value
  }, [value])
  return box
}
