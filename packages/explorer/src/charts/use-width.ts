/** Measures the width available for a chart. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** Width before the first measurement, in pixels. */
const GUESS = 640
/** Minimum readable width, in pixels. */
const LEAST = 220

/** Returns `box`, the ref for an element, and the current width of that element in whole pixels. */
export function useWidth() {
  const [element, box] = useState<HTMLDivElement | null>(null)
  const [width, setWidth] = useState(GUESS)

  useLayoutEffect(() => {
    if (element === null) return
    const measure = () => setWidth(Math.max(LEAST, Math.floor(element.clientWidth)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])

  return { box, width }
}

/** Returns the height in pixels for a chart of this width. Leaves room in the window for the content around the chart. */
export function heightFor(width: number): number {
  return Math.round(Math.min(Math.max(260, innerHeight - 440), Math.max(280, width * 0.62), 620))
}
