/** Webhooks: POSTs the changes of a world to other servers, in order, at least once. */
import { follow, type Log, type Sink } from '@worldwright/client/follow'
import { type Lease, namedValue, type Store } from '@worldwright/core/store'
import { pageJson } from '../changes/change-json.ts'
import { ChangeLog, type ChangesPage } from '../changes/change-log.ts'
import { CHANGES_DEFAULT } from '../changes/limits.ts'
import { offsetFrom } from '../log/tokens.ts'
import { signedPost } from './signed-post.ts'

export { signingKeys } from './signed-post.ts'

/** A receiver of changes. Its progress is stored under its URL. */
export interface Webhook {
  readonly url: string
  /** Types whose changes are sent, sorted and without duplicates. Default: all. */
  readonly types?: readonly string[] | undefined
  /** Keys from `signingKeys`. */
  readonly keys: readonly Uint8Array[]
}

/** World whose changes are delivered, until `signal` aborts. */
export interface WebhookDeps {
  readonly worldId: string
  readonly store: Store
  /** Receives messages about failures, and about deliveries that work again. */
  readonly report: (level: 'info' | 'warn' | 'error', message: string) => void
  readonly signal: AbortSignal
}

/** Maximum time until a response begins, and maximum pause between retries, in milliseconds. */
const [RESPONSE_MS, MAX_RETRY_MS] = [15_000, 600_000]

/**
 * Delivers changes to a webhook until the receiver answers 410. A new webhook begins at the present, and a known one after
 * the last request that was answered 2xx. Of several nodes, the one with the lease delivers.
 */
export async function deliverChanges({ url, types, keys }: Webhook, deps: WebhookDeps): Promise<void> {
  const { worldId, store, signal } = deps
  const { origin, pathname } = new URL(url)
  // Without the query, which may hold a secret.
  const report: typeof deps.report = (level, text) =>
    deps.report(level, `Webhook ${origin}${pathname} ${text}`)
  const progress = progressOf(url, deps)
  const log = new ChangeLog(worldId, store)
  const token = (offset: string) => log.token(types, offset)
  let isFailing = false
  async function deliver(body: string, offset: string) {
    await signedPost({ url, keys }, body, AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]))
    if (isFailing) report('info', 'works again.')
    isFailing = false
    await progress.save(offset)
  }
  const followed: Log<ChangesPage> & Sink<ChangesPage> = {
    async *live() {
      await progress.open()
      for await (const _ of store.watch(signal)) yield undefined
    },
    read: (after = '') =>
      log.read({ since: token(after), types, limit: CHANGES_DEFAULT, nameDamaged: true, signal }),
    isExpired: (error) => Object(error).code === 'changes_expired',
    checkpoint: () => progress.offset,
    async apply(page) {
      const next = offsetFrom({ worldId, types }, page.next) ?? ''
      const isEmpty = page.changes.length === 0 && page.damaged === undefined
      await (isEmpty ? progress.save(next) : deliver(pageJson(page, { entities: false }, token), next))
      return undefined
    },
    async restart() {
      const { next } = await store.changes({ limit: 0, signal })
      const message = 'Changes expired before they were delivered. Read the world from the beginning.'
      await deliver(
        JSON.stringify({ code: 'changes_expired', message, details: { next: token(next) } }),
        next,
      )
      report('error', 'lost changes, which expired before they were delivered. The receiver was told.')
      return undefined
    },
    lost(error, retryMs) {
      if (Object(error).status === 410) throw error
      isFailing = true
      report('warn', `failed: ${messageOf(error)}. Trying again in ${Math.ceil(retryMs / 1_000)} s.`)
      return undefined
    },
  }
  // A request that times out is no connection that lasted.
  const options = { signal, maxRetryMs: MAX_RETRY_MS, lastedMs: Number.POSITIVE_INFINITY }
  try {
    for await (const _ of follow(followed, followed, options));
  } catch (error) {
    report('error', `stopped until the next start: ${messageOf(error)}.`)
  } finally {
    await progress.close()
  }
}

/** Creates the durable progress of a webhook. Its `offset` is undefined while the lease is not held. */
function progressOf(url: string, { store, signal }: WebhookDeps) {
  // Name of the lease, and of a value that is not replicated.
  const name = `~~webhook/${url}`
  let lease: Lease | undefined
  const progress = {
    offset: undefined as string | undefined,
    /** Waits for the lease. A new webhook begins at the end of the log. */
    async open(): Promise<void> {
      lease ??= await store.lease?.(name, { signal })
      progress.offset ??= (await namedValue(store, name, { signal }))?.value
      if (progress.offset === undefined) await progress.save((await store.changes({ limit: 0, signal })).next)
    },
    /** Stores an offset durably. @throws Error if another node has, which took the lease over */
    async save(offset: string): Promise<void> {
      if (offset === progress.offset) return
      const ifValues = { [name]: progress.offset }
      const { done } = await store.write([], { values: { [name]: offset }, ifValues })
      progress.offset = done ? offset : undefined
      if (done) return
      await progress.close()
      throw new Error('another node has delivered meanwhile')
    },
    async close(): Promise<void> {
      await lease?.release()
      lease = undefined
    },
  }
  return progress
}

/** Returns the reason of an error, which `fetch` hides in the cause. */
function messageOf(error: unknown): string {
  const { message, cause } = Object(error)
  return Object(cause).message || message || String(error)
}
