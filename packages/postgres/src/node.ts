/** Implements a node of a store in PostgreSQL. A node writes to the database and reads from its local replica. */
import { abortable, DELETIONS_KEPT_MS, type Position, type Store, StoreFault } from '@worldwright/core/store'
import { Database } from './database.ts'
import { Follower } from './follower.ts'
import { prepareStore } from './format.ts'
import { Replica } from './replica.ts'
import { valuesIn, writesTo } from './writes-to.ts'

/** Options for a node with a local replica. */
export interface NodeOptions {
  /** Store for the local replica. Must be empty or a replica of the same database. It is closed with the node. */
  readonly replica: Store
  /**
   * Reports whether this process updates the local replica. If several processes share it, only one of them may do so.
   * Called before each update. Defaults to always true.
   */
  readonly follows?: () => boolean
  /** Returns the current time. Defaults to the system clock. */
  readonly now?: () => Date
  /** Retention period for deletions, in milliseconds. `Infinity` keeps them forever. Defaults to 90 days. */
  readonly deletionsKeptMs?: number
  /**
   * Maximum time that a write waits until this node can read it, in milliseconds. Defaults to 2 s. After a timeout, the
   * write is durable but may not be readable on this node yet.
   */
  readonly appliedMs?: number
}

const APPLIED_MS = 2_000

/**
 * Opens the store that a URL names, creating it if missing. If the database is unreachable, a node serves reads from its
 * replica and keeps trying to connect.
 * @throws StoreFault `unreachable` if the replica is empty; `not_a_store`, `newer_format`
 */
export async function openNode(
  url: string,
  {
    replica,
    follows = () => true,
    now = () => new Date(),
    deletionsKeptMs = DELETIONS_KEPT_MS,
    appliedMs = APPLIED_MS,
  }: NodeOptions,
): Promise<Store> {
  const database = new Database(url)
  const view = new Replica(database, replica)
  const follower = new Follower(database, view, { follows, now, deletionsKeptMs })
  await view.recall()
  try {
    await prepareStore(database)
    await follower.look()
  } catch (error) {
    const hasReplica = (await replica.types()).size > 0
    if (!(error instanceof StoreFault && error.code === 'unreachable' && hasReplica)) {
      await database.close()
      throw error
    }
  }
  follower.start()
  return nodeOver(database, replica, now, (position) => follower.applied(appliedMs, position), follower)
}

function nodeOver(
  database: Database,
  replica: Store,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
  follower: Follower,
): Store {
  // A store in PostgreSQL has its own history, so it cannot follow another store.
  const { follow: _, ...read } = replica
  return abortable<Store>({
    ...read,
    replicaState: () => follower.state(),
    ...writesTo(database, now, applied),
    async values(prefix, options) {
      try {
        return await valuesIn(database, prefix)
      } catch (error) {
        if (error instanceof StoreFault && error.code === 'unreachable')
          return replica.values(prefix, options)
        throw error
      }
    },
    async close() {
      await follower.stop()
      await database.close()
      await replica.close()
    },
  })
}
