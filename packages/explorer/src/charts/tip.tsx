/** A tooltip at a point of a picture. */
import type { ComponentChildren } from 'preact'

/** A tooltip above `x` and `y`, in pixels of a picture that is `width` wide; it stays within the sides. */
export function Tip(props: { x: number; y: number; width: number; children: ComponentChildren }) {
  const { x, y, width, children } = props
  const side = x < width * 0.25 ? 'at-start' : x > width * 0.75 ? 'at-end' : ''
  return (
    <div class={`tip ${side} ${y < 90 ? 'below' : ''}`} style={{ left: `${x}px`, top: `${y}px` }}>
      {children}
    </div>
  )
}
