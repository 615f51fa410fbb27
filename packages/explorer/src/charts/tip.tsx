/** A tooltip at a point of a chart. */
import type { ComponentChildren } from 'preact'

/** Tooltip above the point (`x`, `y`) of a picture `width` wide, all in pixels. It stays within the sides of the picture. */
export function Tip(props: { x: number; y: number; width: number; children: ComponentChildren }) {
  const { x, y, width, children } = props
  const across = x < width * 0.25 ? '-12px' : x > width * 0.75 ? 'calc(-100% + 12px)' : '-50%'
  const down = y < 90 ? '14px' : 'calc(-100% - 8px)'
  return (
    <div class="tip" style={{ left: `${x}px`, top: `${y}px`, translate: `${across} ${down}` }}>
      {children}
    </div>
  )
}
