/** A thread with a model: neither making vectors nor comparing them delays a search that does not wait for it. */
import { Worker } from 'node:worker_threads'
import type { FoundEntity, Meaning } from './meaning.ts'
import type { Compared, Comparison, MeaningOptions, Said } from './thread-program.ts'

const PROGRAM = import.meta.filename.replace(/meaning-thread(\.[jt]s)$/, 'thread-program$1')

/** Starts the thread. If it ends, for there is no model or it cannot be run, `onEnd` hears why, and nothing is compared any more. */
export class MeaningThread implements Meaning {
  readonly #thread: Worker
  readonly #waiting = new Map<number, (similarities?: Compared['similarities']) => void>()
  #count = 0
  #isAnswering = false

  constructor(options: MeaningOptions, onEnd: (why: Error) => void) {
    this.#thread = new Worker(PROGRAM, { workerData: options })
    this.#thread.on('message', (said: Said) => {
      if (said === 'ready') this.#isAnswering = true
      else this.#waiting.get(said.number)?.(said.similarities)
    })
    this.#thread.on('error', onEnd)
    this.#thread.on('exit', () => {
      this.#isAnswering = false
      for (const resolve of this.#waiting.values()) resolve()
    })
    this.#thread.unref()
  }

  /** See `Meaning`. Undefined at once while the model is being loaded. */
  async similarities(text: string, entities: readonly FoundEntity[], budgetMs: number) {
    if (!this.#isAnswering) return undefined
    const number = this.#count++
    const { promise, resolve } = Promise.withResolvers<Compared['similarities'] | undefined>()
    const timer = setTimeout(() => resolve(undefined), budgetMs)
    this.#waiting.set(number, resolve)
    const keys = entities.map(({ type, id, revision }) => ({ type, id, revision }))
    this.#thread.postMessage({ number, text, entities: keys } satisfies Comparison)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.terminate()
  }
}
