/** Provides a searching node with the current index and its dictionary. */

import { epochOf, hasReached, type Position, type Reach, reachOf, StoreFault } from '@worldwright/core/store'
import type { CountedWords } from '@worldwright/search'
import type { Cluster } from './cluster.ts'
import { aliasedIndex } from './feeder.ts'
import { WordLog } from './word-log.ts'

/** Maximum age of the cached index name and dictionary, in milliseconds. */
const FRESH_MS = 1_000
/** Polling interval while waiting for a position, in milliseconds. */
const LOOK_MS = 40
/** Response timeout of a cluster node for the name of the index, in milliseconds. */
const LOOK_TIMEOUT_MS = 2_000
/** Maximum wait for a position, in milliseconds. */
const WAIT_MS = 2_000

/** Index and dictionary to use for one query. */
export interface Seen {
  /** Name of the index itself, not of its alias. */
  readonly index: string
  readonly words: CountedWords
  /** Offset in the store's log up to which every change is searchable; empty if unknown, as in the middle of a feed. */
  readonly reached: string
}

/** Caches the current index and its dictionary for `FRESH_MS`. */
export class IndexView {
  readonly #cluster: Cluster
  #log: WordLog | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #reading: Promise<WordLog> | undefined

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  /**
   * Returns the current index once it has reached `wanted`, or immediately if no position is wanted.
   * @throws StoreFault `index_rebuilding` while the first index is still being built; `busy` if `wanted` is not reached soon
   */
  async look(wanted?: Position, signal?: AbortSignal): Promise<Seen> {
    const end = performance.now() + WAIT_MS
    for (let isFirst = true; ; isFirst = false) {
      const log = await this.#fresh(!isFirst)
      const reach = reachedBy(log.fed.position)
      if (wanted === undefined || (reach && hasReached(reach, wanted)))
        return {
          index: log.index.replace(/-words$/, ''),
          words: log.words,
          reached: (log.fed.position !== undefined && log.fed.place) || '',
        }
      signal?.throwIfAborted()
      if (performance.now() > end)
        throw new StoreFault('busy', 'The search index has not come as far yet. Try again.')
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }

  /** Discards the cached index after another one has replaced it. */
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
    const index = await aliasedIndex(this.#cluster, LOOK_TIMEOUT_MS)
    // A later index may have the same name.
    if (index === undefined) {
      this.forget()
      throw new StoreFault(
        'index_rebuilding',
        'The search index is being built. Searches fail until it is there.',
      )
    }
    const log = this.#log?.index === `${index}-words` ? this.#log : new WordLog(this.#cluster, index)
    await log.refresh()
    this.#log = log
    this.#readAt = at
    return log
  }
}

/** Decodes a position to a reach in the position's own history. */
function reachedBy(position: Position | undefined): Reach | undefined {
  return position === undefined ? undefined : reachOf(epochOf(position), position)
}
