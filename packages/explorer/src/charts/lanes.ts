/** Places names beside the points of a line, in as few rows as keep them apart. */

/** Width of a letter, maximum width of a name, and gap around a point and its name, in pixels. */
const LETTER = 7.4
const MOST = 210
const GAP = 26

/** Assigns rows to names `letters` long at `x`, in pixels of a line that is `width` long; points in ascending order. */
export function lanesOf(points: readonly { x: number; letters: number }[], width: number) {
  const ends: number[] = []
  return points.map(({ x, letters }, index) => {
    const long = Math.min(MOST, letters * LETTER) + GAP
    const isBefore = x + long > width && x - long > 0
    const [from, to] = isBefore ? [x - long, x + GAP / 2] : [x - GAP / 2, x + long]
    const free = ends.findIndex((end) => end <= from)
    const row = free < 0 ? ends.length : free
    ends[row] = to
    /** `isBefore`: the name precedes its point, since there is no room after it. */
    return { index, row, isBefore }
  })
}
