/** Whether a world can be asked now, and if not, why: for supervisors and load balancers. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus } from '@worldwright/extensions/replica'

/** Why a world is not ready, in one word. */
export type ReasonCode = 'loading' | 'behind' | 'store' | 'disk' | 'stopping'

/** One thing that keeps a world from being ready. */
export interface Reason {
  readonly reason: ReasonCode
  /** What happened, for people. */
  readonly message: string
}

/** What readiness is judged by. */
export interface ReadinessOptions {
  readonly storage: Pick<Store, 'types'>
  /** The file of the store; absent if it has none. */
  readonly file?: string | undefined
  /** False: nothing is ever written, and a full disk is no reason. */
  readonly isWritten?: boolean
  /** How the copy stands, if this is one. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Seconds that a copy may be behind. Absent: any. */
  readonly maxLag?: number | undefined
  /** Bytes free on the disk of the store. */
  readonly freeBytes?: (folder: string) => Promise<number>
  readonly now?: () => number
}

/** A store that takes longer has a disk that does not answer. */
const STORE_MS = 2_000

/** What one commit, its log and a merge of the search index may need. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** Knows in which phase a world is, and looks at its store and disk when it is asked. */
export class Readiness {
  readonly #options: ReadinessOptions
  #phase: 'loading' | 'serving' | 'stopping' = 'loading'

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  /** The first load is done, and requests are answered. */
  serving(): void {
    this.#phase = 'serving'
  }

  /** No new connections are taken any more. */
  stopping(): void {
    this.#phase = 'stopping'
  }

  /** Everything that keeps the world from being ready; empty if it is. Never rejects. */
  async reasons(): Promise<Reason[]> {
    if (this.#phase === 'loading') return [{ reason: 'loading', message: 'The sources are being loaded.' }]
    if (this.#phase === 'stopping') return [{ reason: 'stopping', message: 'The world is being ended.' }]
    const found = await Promise.all([this.#copy(), this.#store(), this.#disk()])
    return found.filter((reason) => reason !== undefined)
  }

  #copy(): Reason | undefined {
    const { status, maxLag, now = Date.now } = this.#options
    const stands = status?.()
    if (stands === undefined) return undefined
    if (!stands.isReady) return { reason: 'loading', message: 'The first copy is being made.' }
    const lag = lagSeconds(stands, now())
    if (maxLag === undefined || lag <= maxLag) return undefined
    return {
      reason: 'behind',
      message: `The copy is ${Math.floor(lag)} s behind; maxLag allows ${maxLag}.`,
    }
  }

  async #store(): Promise<Reason | undefined> {
    const { storage, file } = this.#options
    try {
      // An open file that was removed can still be read, but nobody will find it again.
      if (file !== undefined) await stat(file)
      await withinTime(Promise.resolve(storage.types()), STORE_MS)
      return undefined
    } catch (error) {
      return { reason: 'store', message: `The store cannot be read: ${(error as Error).message}` }
    }
  }

  async #disk(): Promise<Reason | undefined> {
    const { file, isWritten = true, freeBytes = freeBytesAt } = this.#options
    if (file === undefined || !isWritten) return undefined
    // If the folder is gone, the store has said so.
    const free = await freeBytes(dirname(file)).catch(() => Number.POSITIVE_INFINITY)
    if (free >= LEAST_FREE_BYTES) return undefined
    const megabytes = (bytes: number) => `${Math.floor(bytes / 1024 / 1024)} MiB`
    return {
      reason: 'disk',
      message: `The disk of the store has ${megabytes(free)} left, and a write may need ${megabytes(LEAST_FREE_BYTES)}.`,
    }
  }
}

async function freeBytesAt(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms / 1_000} s`)), ms)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
