/** Axes of a chart: labelled grid lines at round values. */
import type { Scale } from './scale.ts'

/** Size and margins of a chart, in pixels. */
export type Frame = Readonly<ReturnType<typeof frameOf>>

/** Width of one character of a label, in pixels. */
const LETTER = 6.6

/** Returns the frame of a chart `width` by `height` pixels in size. Its left margin fits the labels of the axis `up`. */
export function frameOf(width: number, height: number, up: Scale) {
  const longest = Math.max(0, ...up.ticks.map(({ text }) => text.length))
  return { width, height, left: Math.ceil(longest * LETTER) + 14, right: 18, top: 10, bottom: 28 }
}

/** Returns the horizontal position of a value in pixels from the left edge. */
export function xOf(frame: Frame, scale: Scale, value: number): number {
  return frame.left + scale.at(value) * (frame.width - frame.left - frame.right)
}

/** Returns the vertical position of a value in pixels from the top edge. */
export function yOf(frame: Frame, scale: Scale, value: number): number {
  return frame.height - frame.bottom - scale.at(value) * (frame.height - frame.top - frame.bottom)
}

/** Axes for an SVG of the frame's size. Omits a label that would overlap the label before it. */
export function Axes({ frame, along, up }: { frame: Frame; along: Scale; up: Scale | undefined }) {
  const floor = frame.height - frame.bottom
  let end = Number.NEGATIVE_INFINITY
  return (
    <g class="axes">
      {up?.ticks.map(({ value, text }) => {
        const y = yOf(frame, up, value)
        return (
          <g key={value}>
            <path d={`M${frame.left} ${y}H${frame.width - frame.right}`} />
            <text x={frame.left - 8} y={y} dy="0.34em" text-anchor="end">
              {text}
            </text>
          </g>
        )
      })}
      {along.ticks.map(({ value, text }) => {
        const x = xOf(frame, along, value)
        const half = (text.length * LETTER) / 2
        const isFree = x - half > end + 8 && x + half <= frame.width
        if (isFree) end = x + half
        return (
          <g key={value}>
            <path d={`M${x} ${floor}v5`} />
            {isFree && (
              <text x={x} y={floor + 20} text-anchor="middle">
                {text}
              </text>
            )}
          </g>
        )
      })}
      <path class="floor" d={`M${frame.left} ${floor}H${frame.width - frame.right}`} />
    </g>
  )
}
