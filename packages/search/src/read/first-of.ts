/** The first of many numbered values in an order. */
import type { Deadline } from './deadline.ts'

/** Number of groups or values that are finished even if time has run out. */
export const FEW_GROUPS = 2 ** 14

/** Returns the first `limit` of some numbers in an order. */
export function firstOf(
  numbers: Uint32Array,
  limit: number,
  compare: (left: number, right: number) => number,
  deadline: Deadline,
): Uint32Array {
  let kept: number[] = []
  let worst: number | undefined
  for (let at = 0; at < numbers.length; at++) {
    if (at > FEW_GROUPS && deadline.step()) break
    const number = numbers[at] as number
    if (worst !== undefined && compare(number, worst) >= 0) continue
    kept.push(number)
    if (kept.length < 2 * limit + 64) continue
    kept = kept.sort(compare).slice(0, limit)
    worst = kept.at(-1)
  }
  return Uint32Array.from(kept.sort(compare).slice(0, limit))
}
