/** Returns the first index in `[from, end)` for which `isBefore` is false, or else `end`. `isBefore` must be monotonic. */
export function bisect(from: number, end: number, isBefore: (index: number) => boolean): number {
  let low = from
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the same as `bisect`, faster if the index is near `from`. */
export function gallop(from: number, end: number, isBefore: (index: number) => boolean): number {
  let low = from
  let high = from
  for (let step = 1; high < end && isBefore(high); step *= 2) {
    low = high + 1
    high += step
  }
  return bisect(low, Math.min(high, end), isBefore)
}
