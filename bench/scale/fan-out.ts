/** How far copies are behind that follow copies: writes reach the owner at random moments, and each process passes them on. */

/** A tree of copies, and what a change costs in it. */
export interface Tree {
  /** Writes a second, at the owner. */
  readonly perSecond: number
  /** Copies that follow each process. */
  readonly followers: number
  /** Copies on the way from the owner to the last, that one included. */
  readonly depth: number
  /** Processor milliseconds of taking over a change. */
  readonly applyMs: number
  /** Processor milliseconds of sending a change to one follower. */
  readonly sendMs: number
  /** Milliseconds between two machines. */
  readonly networkMs: number
}

/** Of each process's processor, how much the changes take: 1 and above cannot be kept up with. */
export function busyWith({ perSecond, followers, applyMs, sendMs }: Tree): number {
  return (perSecond * (applyMs + followers * sendMs)) / 1_000
}

/**
 * Milliseconds from a write to the last copy of a path that has it, the median and the 99th percentile: each process takes
 * changes one after the other, and the followed one sends to the observed copy last.
 */
export function lagOf(tree: Tree, writes: number, roll: () => number): { median: number; p99: number } {
  const { perSecond, followers, depth, applyMs, sendMs, networkMs } = tree
  const sendAll = followers * sendMs
  const freeAt = new Float64Array(depth + 1)
  const lags: number[] = []
  let written = 0
  for (let at = 0; at < writes; at++) {
    written -= (1_000 * Math.log(1 - roll())) / perSecond
    let arrived = written
    for (let level = 0; level <= depth; level++) {
      const begun = Math.max(arrived, freeAt[level] as number)
      // The last copy sends to nobody.
      const done = begun + applyMs + (level < depth ? sendAll : 0)
      freeAt[level] = done
      arrived = level < depth ? done + networkMs : done
    }
    lags.push(arrived - written)
  }
  lags.sort((one, other) => one - other)
  const share = (part: number) => lags[Math.floor(part * (lags.length - 1))] ?? 0
  return { median: share(0.5), p99: share(0.99) }
}
