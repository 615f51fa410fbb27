/** Names beside points of a line, in as few rows as keep them apart. */

/** Pixels of a letter, of a name at most, and between a point and its name together with the next. */
const LETTER = 7.4
const MOST = 210
const GAP = 26

/** Rows for names `letters` long at `x`, in pixels of a line that is `width` long; points in ascending order. */
export function lanesOf(points: readonly { x: number; letters: number }[], width: number) {
  const ends: number[] = []
  return points.map(({ x, letters }, index) => {
    const long = Math.min(MOST, letters * LETTER) + GAP
    const isBefore = x + long > width && x - long > 0
    const [from, to] = isBefore ? [x - long, x + GAP / 2] : [x - GAP / 2, x + long]
    const free = ends.findIndex((end) => end <= from)
    const row = free < 0 ? ends.length : free
    ends[row] = to
    /** `isBefore`: the name stands before its point, since behind it there is no room. */
    return { index, row, isBefore }
  })
}
