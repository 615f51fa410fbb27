/** The first of many numbered values in an order. */
import type { Deadline } from './deadline.ts'

/** Number of groups or values that are finished even if time has run out. */
export const FEW_GROUPS = 2 ** 14

/** Returns the first `limit` of the numbers below `count` in an order. */
export function firstOf(
  count: number,
  limit: number,
  compare: (left: number, right: number) => number,
  deadline: Deadline,
): number[] {
  let kept: number[] = []
  let worst: number | undefined
  for (let at = 0; at < count; at++) {
    if (at > FEW_GROUPS && deadline.step()) break
    if (worst !== undefined && compare(at, worst) >= 0) continue
    kept.push(at)
    if (kept.length < 2 * limit + 64) continue
    kept = kept.sort(compare).slice(0, limit)
    worst = kept.at(-1)
  }
  return kept.sort(compare).slice(0, limit)
}
