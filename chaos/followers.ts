/** Runs programs that follow a world through all failures and record its changes. */
import { connect, isWorldError } from '@worldwright/client'
import type { SteadyWriters } from './steady-writers.ts'

/** Program that follows a world from the beginning of its change log. */
export interface Follower {
  /** Number of received changes that were never written or are older than the follower's state. */
  readonly invented: number
  /** Delay of each event after the acknowledgement of its write, in milliseconds, and the time of the event. */
  readonly delays: readonly { readonly ms: number; readonly at: number }[]
  /** Error that ended the follower, or undefined while it follows. */
  readonly failure: unknown
  /** Counts the entities that are missing, superfluous, or differ in revision from `truth`. */
  differences(truth: ReadonlyMap<string, string>): number
  stop(): Promise<void>
}

/** Starts a follower of a world. Resolves once it is connected. */
export async function follow(url: string, writers: SteadyWriters): Promise<Follower> {
  const ending = new AbortController()
  const world = await connect(url)
  const revisions = new Map<string, string>()
  const last = new Map<string, number>()
  const delays: { ms: number; at: number }[] = []
  const state = { invented: 0, failure: undefined as unknown }
  const noteWritten = (id: string, title: string | undefined) => {
    const number = Number(title)
    const attempt = writers.attempt(id, number)
    const isOlder = number <= (last.get(id) ?? -1)
    if (!attempt || attempt.isDeletion || isOlder) state.invented += 1
    last.set(id, number)
    const at = performance.now()
    // An event may precede the acknowledgement of its write. Its delay then counts as 0.
    if (attempt?.acknowledgedAt !== undefined)
      delays.push({ ms: Math.max(0, at - attempt.acknowledgedAt), at })
    else if (attempt) delays.push({ ms: 0, at })
  }
  const running = (async () => {
    try {
      for await (const change of world.changes({ entities: true, signal: ending.signal })) {
        if (change.op !== 'put') revisions.delete(change.id)
        else {
          revisions.set(change.id, change.revision)
          if (change.id !== 'first') noteWritten(change.id, change.entity?.title)
        }
      }
    } catch (error) {
      if (!isWorldError(error) || error.code !== 'aborted') state.failure = error
    }
  })()
  return {
    get invented() {
      return state.invented
    },
    get failure() {
      return state.failure
    },
    delays,
    differences: (truth) =>
      [...truth].filter(([id, revision]) => revisions.get(id) !== revision).length +
      [...revisions.keys()].filter((id) => !truth.has(id)).length,
    async stop() {
      ending.abort()
      await running
    },
  }
}
