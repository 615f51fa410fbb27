/** Exact arithmetic on doubles, as whole numbers of 2⁻¹⁰⁷⁴, the least positive double. */

/** Returns a finite double as a whole number of 2⁻¹⁰⁷⁴. */
export function wholeOf(double: number): bigint {
  const bits = BigInt.asUintN(64, new BigInt64Array(new Float64Array([Math.abs(double)]).buffer)[0] as bigint)
  const exponent = bits >> 52n
  const digits = bits & ((1n << 52n) - 1n)
  const whole = exponent === 0n ? digits : (digits | (1n << 52n)) << (exponent - 1n)
  return double < 0 ? -whole : whole
}

/** Returns the double nearest to `whole / count`, of two equally near ones the even one, or null beyond the largest double. */
export function nearestDouble(whole: bigint, count: bigint): number | null {
  if (whole < 0n) {
    const opposite = nearestDouble(-whole, count)
    return opposite === null || opposite === 0 ? opposite : -opposite
  }
  // The bit patterns of positive doubles are in the order of their values: find the last one that is not above.
  let low = 0n
  let high = 0x7ff0000000000000n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (wholeOf(doubleOf(middle)) * count <= whole) low = middle
    else high = middle
  }
  const below = wholeOf(doubleOf(low))
  // The double after the largest one would be 2¹⁰²⁴.
  const above = high === 0x7ff0000000000000n ? 1n << 2098n : wholeOf(doubleOf(high))
  const [toBelow, toAbove] = [whole - below * count, above * count - whole]
  const isBelow = toBelow < toAbove || (toBelow === toAbove && low % 2n === 0n)
  const nearest = doubleOf(isBelow ? low : high)
  return Number.isFinite(nearest) ? nearest : null
}

function doubleOf(bits: bigint): number {
  return new Float64Array(new BigInt64Array([bits]).buffer)[0] as number
}
