/** Tokens in the database: written there, and read from the node's copy, if it has one, where the database is away. */
import { type MaybePromise, StorageFault, type StoredToken, type TokenStore } from '../contract.ts'
import type { Database } from './database.ts'
import { hold, moveRoom } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  readonly id: string
  readonly value: string
  readonly last_used: string | null
}

/** `applied` is awaited after each change. `copy`: the tokens that the node has seen last; absent for one without a copy. */
export function tokensIn(database: Database, applied: () => Promise<void>, copy?: TokenStore): TokenStore {
  const changed = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const result = await database.writing(async (session) => {
      const [{ number }] = await hold(session, [], { room: 'tokens', mode: 'UPDATE' })
      const done = await work(session)
      moveRoom(session, 'tokens', number)
      return done
    })
    await applied()
    return result
  }
  const orCopy = async <T>(
    work: () => Promise<T>,
    instead: (copy: TokenStore) => MaybePromise<T>,
  ): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (copy && error instanceof StorageFault && error.code === 'unreachable') return instead(copy)
      throw error
    }
  }
  return {
    get: (id, options) =>
      orCopy(
        async () => {
          const [row] = await database.query<Row & Record<string, unknown>>(
            'SELECT id, value, last_used FROM tokens WHERE id = $1',
            [id],
          )
          return row && tokenOf(row)
        },
        (copy) => copy.get(id, options),
      ),
    list: (options) =>
      orCopy(
        async () => {
          const rows = await database.query<Row & Record<string, unknown>>(
            'SELECT id, value, last_used FROM tokens ORDER BY id COLLATE "C"',
          )
          return rows.map(tokenOf)
        },
        (copy) => copy.list(options),
      ),
    put: (id, value) =>
      changed(async (session) => {
        await session.query(
          `INSERT INTO tokens (id, value) VALUES ($1, $2)
           ON CONFLICT (id) DO UPDATE SET value = excluded.value, last_used = NULL`,
          [id, value],
        )
      }),
    remove: (id) =>
      changed(
        async (session) =>
          (await session.query('DELETE FROM tokens WHERE id = $1 RETURNING id', [id])).length > 0,
      ),
    async noteUse(id, at) {
      await database.query('UPDATE tokens SET last_used = $2 WHERE id = $1', [id, at])
    },
  }
}

function tokenOf({ id, value, last_used: lastUsed }: Row): StoredToken {
  return { id, value, ...(lastUsed !== null && { lastUsed }) }
}
