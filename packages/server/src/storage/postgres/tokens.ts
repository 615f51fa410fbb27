/** Tokens in the database: written there, and read from the node's copy where the database is away. */
import { StorageFault, type StoredToken, type TokenStore } from '../contract.ts'
import type { Database } from './database.ts'
import { hold, moveRoom } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  readonly id: string
  readonly value: string
  readonly last_used: string | null
}

/** `copy`: the tokens that the node has seen last. `applied` is awaited after each change. */
export function tokensIn(database: Database, copy: TokenStore, applied: () => Promise<void>): TokenStore {
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
  const orCopy = async <T>(work: () => Promise<T>, instead: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof StorageFault && error.code === 'unreachable') return instead()
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
        () => copy.get(id, options),
      ),
    list: (options) =>
      orCopy(
        async () => {
          const rows = await database.query<Row & Record<string, unknown>>(
            'SELECT id, value, last_used FROM tokens ORDER BY id COLLATE "C"',
          )
          return rows.map(tokenOf)
        },
        () => copy.list(options) as Promise<readonly StoredToken[]>,
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
