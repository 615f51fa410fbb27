/** A node of a store in PostgreSQL: it writes to the database, and reads its own copy, which follows. */
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

/** Where a node keeps its copy, and how long it waits. */
export interface NodeOptions {
  /** The node's own store: empty, or of the same database. It is closed with the node. */
  readonly copy: Store
  /**
   * Whether this process takes changes over into the copy: of several that share one, one does. Asked before each look.
   * Absent: it does.
   */
  readonly follows?: () => boolean
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** How long deletions are remembered, in milliseconds. Absent: 90 days. */
  readonly deletionsKeptMs?: number
  /**
   * A write waits so long, in milliseconds, until its node has what it wrote; after that it is durable all the same, and
   * reads of the node lag behind. Absent: 2 s.
   */
  readonly appliedMs?: number
}

const APPLIED_MS = 2_000

/**
 * Opens the store that a URL names, and makes it where there is none. Where the database cannot be reached, a node that
 * has a copy already reads, and goes on looking for it.
 * @throws StorageFault `unreachable` for a node without a copy; `not_a_store`, `newer_format`
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
  // A store in PostgreSQL keeps a history of its own.
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
