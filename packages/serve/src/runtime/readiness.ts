/** Readiness check of a world, for supervisors and load balancers. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus } from '@worldwright/extensions/replica'

/** Code of a reason why a world is not ready. */
export type ReasonCode = 'loading' | 'behind' | 'store' | 'disk' | 'stopping'

/** A reason why a world is not ready. */
export interface Reason {
  readonly reason: ReasonCode
  /** Explanation of the reason. */
  readonly message: string
}

/** Inputs for the readiness check. */
export interface ReadinessOptions {
  readonly store: Pick<Store, 'types'>
  /** Path of the store file; absent if the store has no file. */
  readonly file?: string | undefined
  /** False if nothing is written, so that a full disk does not matter. */
  readonly isWritten?: boolean
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Maximum lag of a replica, in seconds. Default: no limit. */
  readonly maxLag?: number | undefined
  /** Returns the free space on the store's disk, in bytes. */
  readonly freeBytes?: (folder: string) => Promise<number>
  readonly now?: () => number
}

/** Timeout for reading the store, in milliseconds. A slower read indicates a disk that does not respond. */
const STORE_MS = 2_000

/** Minimum free disk space, in bytes. Enough for one commit, its log, and a merge of the search index. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** Tracks the phase of a world, and checks its store and disk on request. */
export class Readiness {
  readonly #options: ReadinessOptions
  #phase: 'loading' | 'serving' | 'stopping' = 'loading'

  constructor(options: ReadinessOptions) {
    this.#options = options
  }

  /** Marks the first load as done and the world as serving requests. */
  serving(): void {
    this.#phase = 'serving'
  }

  /** Marks the world as stopping, so that it accepts no new connections. */
  stopping(): void {
    this.#phase = 'stopping'
  }

  /** Returns the reasons why the world is not ready, or an empty array if it is. Never rejects. */
  async reasons(): Promise<Reason[]> {
    if (this.#phase === 'loading') return [{ reason: 'loading', message: 'The sources are being loaded.' }]
    if (this.#phase === 'stopping') return [{ reason: 'stopping', message: 'The world is being ended.' }]
    const found = await Promise.all([this.#replica(), this.#store(), this.#disk()])
    return found.filter((reason) => reason !== undefined)
  }

  #replica(): Reason | undefined {
    const { status, maxLag, now = Date.now } = this.#options
    const stands = status?.()
    if (stands === undefined) return undefined
    if (!stands.isReady) return { reason: 'loading', message: 'The first replica is being made.' }
    const lag = lagSeconds(stands, now())
    if (maxLag === undefined || lag <= maxLag) return undefined
    return {
      reason: 'behind',
      message: `The replica is ${Math.floor(lag)} s behind; maxLag allows ${maxLag}.`,
    }
  }

  async #store(): Promise<Reason | undefined> {
    const { store, file } = this.#options
    try {
      // Check the path, because a deleted file can be read while it is open.
      if (file !== undefined) await stat(file)
      await withinTime(Promise.resolve(store.types()), STORE_MS)
      return undefined
    } catch (error) {
      return { reason: 'store', message: `The store cannot be read: ${(error as Error).message}` }
    }
  }

  async #disk(): Promise<Reason | undefined> {
    const { file, isWritten = true, freeBytes = freeBytesAt } = this.#options
    if (file === undefined || !isWritten) return undefined
    // A missing folder is reported by the store check.
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
