/** Shapes that tell values apart where the browser forces its own colours. */
import { REST } from './shades.ts'

/** Corners of the shapes, in the order of the colours, within a square from -1 to 1. The first shape is a circle. */
const CORNERS: readonly (readonly number[])[] = [
  [],
  [-0.85, -0.85, 0.85, -0.85, 0.85, 0.85, -0.85, 0.85],
  [0, -1, 1, 0.9, -1, 0.9],
  [0, -1, 1, 0, 0, 1, -1, 0],
  [-1, -0.9, 1, -0.9, 0, 1],
  [-1, -1, 1, -1, -1, 1, 1, 1],
  [
    -0.3, -1, 0.3, -1, 0.3, -0.3, 1, -0.3, 1, 0.3, 0.3, 0.3, 0.3, 1, -0.3, 1, -0.3, 0.3, -1, 0.3, -1, -0.3,
    -0.3, -0.3,
  ],
  [-1, -1, 0.2, -1, 1, 0, 0.2, 1, -1, 1, -0.2, 0],
]
/** Shape of the rest: a bar. */
const BAR = [-1, -0.3, 1, -0.3, 1, 0.3, -1, 0.3]

/** Reports whether the browser replaces the colours of pages. */
export function isForced(): boolean {
  return globalThis.matchMedia?.('(forced-colors: active)').matches === true
}

/** Returns the shape of the colour of a value or of the rest, for `clip-path`. Colours of a ramp have none. */
export function signOf(color: string | undefined): string | undefined {
  const corners = cornersOf(color)
  if (corners === undefined) return undefined
  const percent = (at: number) => `${Math.round(50 + at * 50)}%`
  return corners.length === 0
    ? 'circle()'
    : `polygon(${pairsOf(corners).map(([x, y]) => `${percent(x)} ${percent(y)}`)})`
}

/** Returns the shape of a colour around a point as the path of a filled area, or undefined for a circle. */
export function signPath(
  color: string | undefined,
  x: number,
  y: number,
  radius: number,
): string | undefined {
  const corners = cornersOf(color) ?? []
  if (corners.length === 0) return undefined
  const round = (at: number) => Math.round(at * 10) / 10
  const points = pairsOf(corners).map(
    ([right, down]) => `${round(x + right * radius)} ${round(y + down * radius)}`,
  )
  return `M${points.join('L')}Z`
}

function cornersOf(color: string | undefined): readonly number[] | undefined {
  return color === REST ? BAR : CORNERS[Number(/^var\(--kind-(\d)\)$/.exec(color ?? '')?.[1] ?? Number.NaN)]
}

function pairsOf(numbers: readonly number[]): [number, number][] {
  return Array.from({ length: numbers.length / 2 }, (_, index) => [
    numbers[index * 2] ?? 0,
    numbers[index * 2 + 1] ?? 0,
  ])
}
