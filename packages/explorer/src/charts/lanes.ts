/** Places names beside points on a line. Uses as few rows as possible without overlapping names. */

/** Width of a letter, maximum width of a name, and gap around a point and its name, in pixels. */
const LETTER = 7.4
const MOST = 210
const GAP = 26

/** Assigns a row to the name of each point at `x` on a line of `width` pixels. Points must be in ascending order. */
export function lanesOf(points: readonly { x: number; letters: number }[], width: number) {
  const ends: number[] = []
  return points.map(({ x, letters }, index) => {
    const long = Math.min(MOST, letters * LETTER) + GAP
    const isBefore = x + long > width && x - long > 0
    const [from, to] = isBefore ? [x - long, x + GAP / 2] : [x - GAP / 2, x + long]
    const free = ends.findIndex((end) => end <= from)
    const row = free < 0 ? ends.length : free
    ends[row] = to
    /** `isBefore` is true if the name precedes its point because there is no room after it. */
    return { index, row, isBefore }
  })
}
