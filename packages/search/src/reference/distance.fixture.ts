/** Naive edit distance, the reference for `DistanceTable`. */

/** Returns the edit distance of two words, counting a transposition of neighbours as one edit. */
export function distanceOf(left: readonly string[], right: readonly string[]): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  const at = (row: number, column: number): number => table[row]?.[column] ?? 99
  for (let row = 1; row <= left.length; row++) {
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1] ? 0 : 1
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same)
      if (
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1] &&
        row > 1 &&
        column > 1
      ) {
        best = Math.min(best, at(row - 2, column - 2) + 1)
      }
      ;(table[row] as number[])[column] = best
    }
  }
  return at(left.length, right.length)
}
