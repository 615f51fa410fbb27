/** A tooltip at a point of a chart. */
import type { ComponentChildren } from 'preact'

/** Tooltip above the point (`x`, `y`) of a picture `width` wide, all in pixels. It stays within the sides of the picture. */
export function Tip(props: { x: number; y: number; width: number; children: ComponentChildren }) {
  const { x, y, width, children } = props
  const side = x < width * 0.25 ? 'at-start' : x > width * 0.75 ? 'at-end' : ''
  return (
    <div class={`tip ${side} ${y < 90 ? 'below' : ''}`} style={{ left: `${x}px`, top: `${y}px` }}>
      {children}
    </div>
  )
}
