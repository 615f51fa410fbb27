/** A node of a store in PostgreSQL: it writes to the database, and reads its local replica. */
import {
  abortable,
  DELETIONS_KEPT_MS,
  type Position,
  StorageFault,
  type Store,
} from '@worldwright/core/store'
import { Copy } from './copy.ts'
import { Database } from './database.ts'
import { Follower } from './follower.ts'
import { prepareStore } from './format.ts'
import { valuesIn, writesTo } from './writes-to.ts'

/** Options of a node of a store. */
export interface NodeOptions {
  /** The node's own store: empty, or a replica of the same database. It is closed with the node. */
  readonly copy: Store
  /**
   * Reports whether this process updates the local replica: of several that share one, only one does. Called before each look.
   * Absent: always true.
   */
  readonly follows?: () => boolean
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** Retention of deletions, in milliseconds. Absent: 90 days. */
  readonly deletionsKeptMs?: number
  /**
   * Maximum milliseconds that a write waits until its node can read it. After that it is durable all the same, but reads of the
   * node lag behind. Absent: 2 s.
   */
  readonly appliedMs?: number
}

const APPLIED_MS = 2_000

/**
 * Opens the store that a URL names, and creates it if missing. If the database is unreachable, a node with a replica reads that
 * and keeps trying.
 * @throws StorageFault `unreachable` for a node without a replica; `not_a_store`, `newer_format`
 */
export async function openNode(
  url: string,
  {
    copy,
    follows = () => true,
    now = () => new Date(),
    deletionsKeptMs = DELETIONS_KEPT_MS,
    appliedMs = APPLIED_MS,
  }: NodeOptions,
): Promise<Store> {
  const database = new Database(url)
  const view = new Copy(database, copy)
  const follower = new Follower(database, view, { follows, now, deletionsKeptMs })
  await view.recall()
  try {
    await prepareStore(database)
    await follower.look()
  } catch (error) {
    const hasCopy = (await copy.types()).size > 0
    if (!(error instanceof StorageFault && error.code === 'unreachable' && hasCopy)) {
      await database.close()
      throw error
    }
  }
  follower.start()
  return nodeOver(database, copy, now, (position) => follower.applied(appliedMs, position), follower)
}

function nodeOver(
  database: Database,
  copy: Store,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
  follower: Follower,
): Store {
  // A store in PostgreSQL keeps a history of its own, so it cannot follow another.
  const { follow: _, ...read } = copy
  return abortable<Store>({
    ...read,
    copyState: () => follower.state(),
    ...writesTo(database, now, applied),
    async values(prefix, options) {
      try {
        return await valuesIn(database, prefix)
      } catch (error) {
        if (error instanceof StorageFault && error.code === 'unreachable') return copy.values(prefix, options)
        throw error
      }
    },
    async close() {
      await follower.stop()
      await database.close()
      await copy.close()
    },
  })
}
