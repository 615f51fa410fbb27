/** Runs a model in its own thread, so that the model does not delay searches that do not use it. */
import { Worker } from 'node:worker_threads'
import type { FoundEntity, Meaning } from './meaning.ts'
import type { Compared, Comparison, MeaningOptions, Said } from './thread-program.ts'

const PROGRAM = import.meta.filename.replace(/meaning-thread(\.[jt]s)$/, 'thread-program$1')

/** Runs the model thread. If the model is missing or fails, `onEnd` receives the error and comparisons return undefined. */
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

  /** Compares as `Meaning.similarities` specifies, but returns undefined immediately while the model is loading. */
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

  async close(): Promise<void> {
    await this.#thread.terminate()
  }
}
