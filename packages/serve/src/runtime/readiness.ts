/** Readiness check of a world, for supervisors and load balancers. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ReplicaState, type Store, StoreFault } from '@worldwright/core/store'
import { lagSeconds, type ReplicaStatus, statusOfNode } from '@worldwright/extensions/replica'

/** Code of a reason why a world, or a part of it, is not ready. */
export type ReasonCode = 'loading' | 'behind' | 'store' | 'disk' | 'stopping' | PartReasonCode
type PartReasonCode = 'read_only' | 'database' | 'search'

/** Parts of a world that a balancer can ask for: reads, writes, searches, and following the upstream or database. */
export const PARTS = ['reads', 'writes', 'search', 'follow'] as const

/** A reason why a world, or a part of it, is not ready. */
export interface Reason {
  readonly reason: ReasonCode
  /** Explanation of the reason. */
  readonly message: string
}

/** Result of a readiness check. */
export interface ReadinessReport {
  /** Reasons of this process alone why it is not ready. What it shares with others only makes parts unready. */
  readonly reasons: readonly Reason[]
  /** Reasons why each part is not ready. */
  readonly parts: Readonly<Record<(typeof PARTS)[number], readonly Reason[]>>
}

/** Inputs for the readiness check. */
export interface ReadinessOptions {
  readonly store: Pick<Store, 'types' | 'find' | 'replicaState'>
  /** Path of the store file; absent if the store has no file. */
  readonly file?: string | undefined
  /** False if nothing is written, so that a full disk does not matter. */
  readonly isWritten?: boolean
  /** False if clients cannot write. Default: `isWritten`. */
  readonly takesWrites?: boolean
  /** Returns the state of the index in a cluster, if no other index can answer. */
  readonly cluster?: (() => ReplicaState) | undefined
  /** Returns the replication status, if this is a replica. */
  readonly status?: (() => ReplicaStatus) | undefined
  /** Maximum lag of a replica, and of an index in a cluster, in seconds. Default: no limit. */
  readonly maxLag?: number | undefined
  /** Describes the first load. */
  readonly loadingText?: (() => string) | undefined
  /** Returns the free space on the store's disk, in bytes. */
  readonly freeBytes?: (folder: string) => Promise<number>
  readonly now?: () => number
}

/** Timeout for reading the store, in milliseconds. A slower read indicates a disk that does not respond. */
const STORE_MS = 2_000

/** Time after which a report does not wait for a search any longer, in milliseconds. The next report has its outcome. */
const SEARCH_MS = 500

const READ_ONLY: Reason = { reason: 'read_only', message: 'This process takes no writes.' }

/** Failures of a search that do not mean that others fail. */
const PASSING: readonly string[] = ['busy', 'overloaded', 'unsupported']

/** Minimum free disk space, in bytes. Enough for one commit, its log, and a merge of the search index. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** Tracks the phase of a world, and checks its store and disk on request. */
export class Readiness {
  readonly #options: ReadinessOptions
  #phase: 'loading' | 'serving' | 'stopping' = 'loading'
  #searching: Promise<void> | undefined
  #searchFailed: Reason | undefined

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

  /** Checks the world and its parts. Never rejects. */
  async report(): Promise<ReadinessReport> {
    const { store: primary, status, isWritten = true, takesWrites = isWritten, loadingText } = this.#options
    if (this.#phase === 'loading') return ofAll('loading', loadingText?.() ?? 'The sources are being loaded.')
    if (this.#phase === 'stopping') return ofAll('stopping', 'The world is being ended.')
    const replica = status?.()
    if (replica?.isReady === false) return ofAll('loading', 'The first replica is being made.')
    const behind = this.#behind('replica', replica)
    const index = this.#index()
    const [store, disk, search] = await Promise.all([this.#store(), this.#disk(), this.#search()])
    const message = primary.replicaState?.().lost
    const lost: Reason | undefined = message === undefined ? undefined : { reason: 'database', message }
    return {
      reasons: those(behind, store, disk),
      parts: {
        reads: those(behind, store),
        writes: those(store, disk, lost, takesWrites ? undefined : READ_ONLY),
        search: those(behind, store, index, search),
        follow: those(behind, lost),
      },
    }
  }

  #behind(what: string, status: ReplicaStatus | undefined): Reason | undefined {
    const { maxLag, now = Date.now } = this.#options
    if (status === undefined || maxLag === undefined) return undefined
    const lag = lagSeconds(status, now())
    if (lag <= maxLag) return undefined
    const message = `The ${what} is ${Math.floor(lag)} s behind; maxLag allows ${maxLag}.`
    return { reason: 'behind', message }
  }

  #index(): Reason | undefined {
    const { cluster } = this.#options
    if (cluster === undefined) return undefined
    const { lost, currentAt } = cluster()
    if (lost !== undefined) return { reason: 'search', message: `The search index is not fed: ${lost}` }
    return currentAt > 0 ? this.#behind('search index', statusOfNode({ currentAt })) : undefined
  }

  /** Searches, and returns why that failed. A search that hangs must not delay the report: the last outcome counts. */
  async #search(): Promise<Reason | undefined> {
    this.#searching ??= this.#trySearch().finally(() => {
      this.#searching = undefined
    })
    await withinTime(this.#searching, SEARCH_MS).catch(() => {})
    return this.#searchFailed
  }

  async #trySearch(): Promise<void> {
    // No entity has this property, but an index must answer.
    const where = { op: '=', property: ['~ready'], value: '' } as const
    try {
      const query = { where, limit: 0, budgetMs: SEARCH_MS }
      await withinTime(Promise.resolve(this.#options.store.find(query)), STORE_MS)
      this.#searchFailed = undefined
    } catch (error) {
      const isPassing = error instanceof StoreFault && PASSING.includes(error.code)
      const message = `Searches fail: ${(error as Error).message}`
      this.#searchFailed = isPassing ? undefined : { reason: 'search', message }
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

function ofAll(reason: ReasonCode, message: string): ReadinessReport {
  const reasons = [{ reason, message }]
  return { reasons, parts: { reads: reasons, writes: reasons, search: reasons, follow: reasons } }
}

function those(...reasons: readonly (Reason | undefined)[]): Reason[] {
  return reasons.filter((reason) => reason !== undefined)
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
