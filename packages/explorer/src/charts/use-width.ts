/** How wide there is room for a picture. */
import { useLayoutEffect, useState } from 'preact/hooks'

/** Pixels before anything is measured. */
const GUESS = 640
/** Below that nothing could be read. */
const LEAST = 220

/** The width of the element that takes `box`, in whole pixels, as it changes. */
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

/** A height for a picture of this width that leaves room on the screen for what stands around it, in pixels. */
export function heightFor(width: number): number {
  return Math.round(Math.min(Math.max(260, innerHeight - 440), Math.max(280, width * 0.62), 620))
}
