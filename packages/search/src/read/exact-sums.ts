import type { Room } from './room.ts'

/** Bits of a limb. */
const BITS = 26
const RADIX = 2 ** BITS
/** Exponent of the only limb at first. The 41st below it has that of the last bit of the smallest double, -1074. */
const FIRST = -8
/** Maximum number of values, so that even a cell with a part of each of them is a whole number below 2⁵³. */
const MAX_ADDED = 2 ** 27

/**
 * Sums of the doubles of many groups, exact until they are rounded once. Each consists of whole multiples of powers of 2²⁶,
 * added up without carries: the order of the values makes no difference. There are as many powers as the values need so far.
 */
export class ExactSums {
  readonly #groups: number
  readonly #room: Room
  /** Exponent of the first limb. */
  #lowest = FIRST
  #units = Float64Array.of(2 ** FIRST)
  #cells: Float64Array
  #added = 0

  /** Creates sums of 0. `room` limits only what they need later. */
  constructor(groups: number, room: Room) {
    this.#groups = groups
    this.#room = room
    this.#cells = new Float64Array(groups)
  }

  /** Adds a finite value to the sum of a group. */
  add(group: number, value: number): void {
    const units = this.#units
    const last = units.length - 1
    if (Math.abs(value) >= (units[last] as number) * RADIX) {
      const above = Math.floor((Math.log2(Math.abs(value)) - this.#lowest) / BITS - last)
      if (this.#widen(0, Math.max(1, above))) this.add(group, value)
      return
    }
    if (++this.#added > MAX_ADDED) this.#room.isCut = true
    // Number of whole units of the limb above.
    let above = 0
    for (let limb = last; limb >= 0; limb--) {
      const unit = units[limb] as number
      const whole = Math.trunc(value / unit)
      ;(this.#cells[group * (last + 1) + limb] as number) += whole - above * RADIX
      if (whole * unit === value) return
      above = whole
    }
    // A double has 53 bits at most, of which the logarithm may miss one, and none of them below -1074.
    const lowest = Math.max(-1074, Math.floor(Math.log2(Math.abs(value))) - 53)
    const below = Math.ceil((this.#lowest - lowest) / BITS)
    if (this.#widen(below, 0)) this.add(group, value - above * (units[0] as number))
  }

  /** Returns the sum of a group divided by `divisor`, correctly rounded. Infinite if it exceeds the largest double. */
  quotient(group: number, divisor: number): number {
    const { length } = this.#units
    const cells = this.#cells.subarray(group * length, (group + 1) * length)
    let sum = 0
    let isExact = true
    for (let limb = 0; limb < length; limb++) {
      const added = (cells[limb] as number) * (this.#units[limb] as number)
      const next = sum + added
      const share = next - sum
      if (sum - (next - share) + (added - share) !== 0) isExact = false
      sum = next
    }
    return (isExact ? sum / divisor : this.#rounded(cells, divisor)) + 0
  }

  #rounded(cells: Float64Array, divisor: number): number {
    const least = this.#lowest
    const whole = cells.reduceRight((sum, cell) => (sum << BigInt(BITS)) + BigInt(cell), 0n)
    const magnitude = whole < 0n ? -whole : whole
    return (
      Math.sign(Number(whole)) *
      nearest(magnitude << BigInt(Math.max(0, least)), BigInt(divisor) << BigInt(Math.max(0, -least)))
    )
  }

  /** Adds powers below and above those in use. Returns false if there is no room. */
  #widen(below: number, above: number): boolean {
    if (!this.#room.take(this.#groups * (below + above))) return false
    const [before, { length }] = [this.#cells, this.#units]
    this.#lowest -= below * BITS
    this.#units = new Float64Array(length + below + above).map((_, limb) => 2 ** (this.#lowest + limb * BITS))
    this.#cells = new Float64Array(this.#groups * this.#units.length)
    for (let at = 0; at < before.length; at++) {
      const group = Math.floor(at / length)
      this.#cells[group * this.#units.length + below + (at - group * length)] = before[at] as number
    }
    return true
  }
}

/** Returns the double nearest to a positive fraction, of two equally near ones the even one. */
function nearest(numerator: bigint, denominator: bigint): number {
  const bits = (whole: bigint) => whole.toString(2).length
  // Scaled by this power of two, the fraction has 53 digits before the point, or 54 at first.
  for (let shift = Math.min(1074, 53 - bits(numerator) + bits(denominator)); ; shift--) {
    const top = numerator << BigInt(Math.max(0, shift))
    const bottom = denominator << BigInt(Math.max(0, -shift))
    const floor = top / bottom
    if (floor >= 2n ** 53n) continue
    const twice = 2n * (top - floor * bottom)
    const isUp = twice > bottom || (twice === bottom && floor % 2n === 1n)
    return Number(isUp ? floor + 1n : floor) * 2 ** -shift
  }
}
