/** A node of a store in PostgreSQL: it writes to the database, and reads its own copy, which follows. */
import { abortable } from '../abortable.ts'
import { type Position, type Storage, StorageFault, type TokenStore } from '../contract.ts'
import { DELETIONS_KEPT_MS } from '../history.ts'
import { Copy } from './copy.ts'
import { Database } from './database.ts'
import { Follower } from './follower.ts'
import { prepareStore } from './format.ts'
import { tokensIn } from './tokens.ts'
import { writesTo } from './writes-to.ts'

/** Where a node keeps its copy, and how long it waits. */
export interface NodeOptions {
  /** The node's own store: empty, or of the same database. It is closed with the node. */
  readonly copy: Storage
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
): Promise<Storage> {
  const database = new Database(url)
  const view = new Copy(database, copy)
  const follower = new Follower(database, view, { follows, now, deletionsKeptMs })
  await view.recall()
  try {
    await prepareStore(database)
    await follower.look()
  } catch (error) {
    const hasCopy = (await copy.versions()).size > 0
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
  copy: Storage,
  now: () => Date,
  applied: (position?: Position) => Promise<void>,
  follower: Follower,
): Storage {
  return abortable<Storage>({
    ...copy,
    copyState: () => follower.state(),
    ...writesTo(database, now, applied),
    async metadata(key, options) {
      try {
        const [row] = await database.query<{ value: string; version: string }>(
          'SELECT value, version FROM metadata WHERE key = $1',
          [key],
        )
        return row
      } catch (error) {
        if (error instanceof StorageFault && error.code === 'unreachable') return copy.metadata(key, options)
        throw error
      }
    },
    tokens: abortable<TokenStore>(tokensIn(database, applied, copy.tokens)),
    async close() {
      await follower.stop()
      await database.close()
      await copy.close()
    },
  })
}
