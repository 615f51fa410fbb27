/** Models the lag of chained replicas: writes reach the primary at random moments, and each process forwards them. */

/** Tree of replicas, and the cost of a change in it. */
export interface Tree {
  /** Writes per second at the primary. */
  readonly perSecond: number
  /** Number of replicas that follow each process. */
  readonly followers: number
  /** Number of replicas on the path from the primary to the last one, inclusive. */
  readonly depth: number
  /** Processor time to apply a change, in milliseconds. */
  readonly applyMs: number
  /** Processor time to send a change to one follower, in milliseconds. */
  readonly sendMs: number
  /** Network latency between two machines, in milliseconds. */
  readonly networkMs: number
}

/** Returns the share of a process's time that changes take. From 1 upwards, the lag grows without bound. */
export function busyWith({ perSecond, followers, applyMs, sendMs }: Tree): number {
  return (perSecond * (applyMs + followers * sendMs)) / 1_000
}

/**
 * Returns the lag in milliseconds from a write to the last replica of a path, as median and 99th percentile. Each
 * process handles changes one after another and sends to the observed replica last.
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
      // The last replica has no followers.
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
