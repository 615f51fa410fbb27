/** The axes of a picture: lines where round values are, with their numbers beside them. */
import type { Scale } from './scale.ts'

/** Where a picture is drawn within its margins, in pixels. */
export type Frame = Readonly<ReturnType<typeof frameOf>>

/** Pixels of a character of the numbers. */
const LETTER = 6.6

/** The frame of a picture `width` pixels wide, with room for the numbers of `up`. */
export function frameOf(width: number, height: number, up: Scale) {
  const longest = Math.max(0, ...up.ticks.map(({ text }) => text.length))
  return { width, height, left: Math.ceil(longest * LETTER) + 14, right: 18, top: 10, bottom: 28 }
}

/** Pixels from the left of a value on the axis along. */
export function xOf(frame: Frame, scale: Scale, value: number): number {
  return frame.left + scale.at(value) * (frame.width - frame.left - frame.right)
}

/** Pixels from the top of a value on the axis upwards. */
export function yOf(frame: Frame, scale: Scale, value: number): number {
  return frame.height - frame.bottom - scale.at(value) * (frame.height - frame.top - frame.bottom)
}

/** The axes, to be drawn within an SVG of the frame's size. A text that would run into the one before is left out. */
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
