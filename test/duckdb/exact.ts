/** Exact arithmetic with doubles, for sums and means that are rounded once. */

/** Exponent `n` for which every double is a whole multiple of 2⁻ⁿ. */
const SCALE = 1_074n

const view = new DataView(new ArrayBuffer(8))

/** Returns a finite double as a whole multiple of 2⁻¹⁰⁷⁴. */
export function exactOf(value: number): bigint {
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = (bits >> 52n) & 0x7ffn
  const fraction = bits & 0xfffffffffffffn
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n)
  return bits >> 63n ? -magnitude : magnitude
}

/**
 * Returns the double nearest to `sum` / `divisor`, ties to even. `sum` is scaled as by `exactOf`. Zero
 * has no sign, as in JSON.
 */
export function roundedQuotient(sum: bigint, divisor: bigint): number {
  if (sum < 0n) return 0 - roundedQuotient(-sum, divisor)
  const whole = sum / divisor
  // Drop the bits beyond the 53 of a double. Below 2⁵³ units of 2⁻¹⁰⁷⁴, doubles are equally spaced.
  const dropped = BigInt(Math.max(0, whole.toString(2).length - 53))
  const unit = divisor << dropped
  const floor = sum / unit
  const twice = 2n * (sum - floor * unit)
  const isUp = twice > unit || (twice === unit && floor % 2n === 1n)
  return Number(isUp ? floor + 1n : floor) * 2 ** Number(dropped - SCALE)
}

/** Returns the median of values in ascending order with their numbers: the mean of the middle two if there are two. */
export function medianOf(values: readonly (readonly [value: number, count: number])[]): number {
  const total = values.reduce((sum, [, count]) => sum + count, 0)
  const at = (rank: number) => {
    let left = rank
    for (const [value, count] of values) {
      left -= count
      if (left < 0) return exactOf(value)
    }
    throw new Error('there are fewer values')
  }
  return roundedQuotient(at((total - 1) >> 1) + at(total >> 1), 2n)
}
