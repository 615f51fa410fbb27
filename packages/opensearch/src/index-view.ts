/** The index as a node sees it that asks it: which one it is, and its dictionary. */

import {
  epochOf,
  hasReached,
  type Position,
  type Reach,
  reachOf,
  StorageFault,
} from '@worldwright/core/store'
import type { CountedWords } from '@worldwright/search'
import type { Cluster } from './cluster.ts'
import { aliasedIndex } from './feeder.ts'
import { WordLog } from './word-log.ts'

/** A dictionary is at most so old, in milliseconds, and so is what an alias was. */
const FRESH_MS = 1_000
/** Who waits for a position looks so often, in milliseconds. */
const LOOK_MS = 40
/** A position that is not here after so many milliseconds is not to be waited for. */
const WAIT_MS = 2_000

/** What a question is answered from. */
export interface Seen {
  /** The name of the index, no alias. */
  readonly index: string
  readonly words: CountedWords
}

/** Keeps what it has read of an index for as long as it is fresh. */
export class IndexView {
  readonly #cluster: Cluster
  #log: WordLog | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<WordLog> | undefined

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * The index as it is, once it has come as far as `wanted`; absent: at once.
   * @throws StorageFault `index_rebuilding` while the first index is built; `busy` where it does not come as far in time
   */
  async look(wanted?: Position, signal?: AbortSignal): Promise<Seen> {
    const end = performance.now() + WAIT_MS
    for (let isFirst = true; ; isFirst = false) {
      const log = await this.#fresh(!isFirst)
      const reach = reachedBy(log.fed.position)
      if (wanted === undefined || (reach && hasReached(reach, wanted)))
        return { index: log.index.replace(/-words$/, ''), words: log.words }
      signal?.throwIfAborted()
      if (performance.now() > end)
        throw new StorageFault('busy', 'The search index has not come as far yet. Try again.')
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  /** Forgets which index it is, because another one has taken its place. */
  forget(): void {
    this.#log = undefined
    this.#readAt = Number.NEGATIVE_INFINITY
  }

  #fresh(isWanted: boolean): Promise<WordLog> {
    if (this.#log && !isWanted && performance.now() - this.#readAt < FRESH_MS)
      return Promise.resolve(this.#log)
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<WordLog> {
    const at = performance.now()
    const index = await aliasedIndex(this.#cluster)
    if (index === undefined)
      throw new StorageFault(
        'index_rebuilding',
        'The search index is being built. Searches fail until it is there.',
      )
    const log = this.#log?.index === `${index}-words` ? this.#log : new WordLog(this.#cluster, index)
    await log.refresh()
    this.#log = log
    this.#readAt = at
    return log
  }
}

/** How far a position is, in its own history. */
function reachedBy(position: Position | undefined): Reach | undefined {
  return position === undefined ? undefined : reachOf(epochOf(position), position)
}
