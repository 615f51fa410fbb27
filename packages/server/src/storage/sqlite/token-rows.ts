/** The tokens' own table: what is written here moves no version. */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredToken, TokenStore } from '../contract.ts'
import { query } from './row-query.ts'
import { withFaults } from './sqlite-faults.ts'
import { writing } from './transaction.ts'

type TokenRow = [id: string, value: string, lastUsed: string | null]

/** Prepares the statements that read and write tokens. */
export function tokenRows(db: DatabaseSync): TokenStore {
  const one = query<TokenRow>(db, 'SELECT id, value, last_used FROM tokens WHERE id = ?')
  const all = query<TokenRow>(db, 'SELECT id, value, last_used FROM tokens ORDER BY id')
  const put = db.prepare('INSERT OR REPLACE INTO tokens (id, value) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM tokens WHERE id = ?')
  const noteUse = db.prepare('UPDATE tokens SET last_used = ? WHERE id = ?')
  return {
    get(id) {
      const row = withFaults(() => one.get(id))
      return row && tokenFrom(row)
    },
    list: () => withFaults(() => all.all()).map(tokenFrom),
    put: (id, value) => writing(db, () => void put.run(id, value)),
    remove: (id) => writing(db, () => remove.run(id).changes === 1),
    noteUse: (id, at) => writing(db, () => void noteUse.run(at, id)),
  }
}

function tokenFrom([id, value, lastUsed]: TokenRow): StoredToken {
  return { id, value, ...(lastUsed !== null && { lastUsed }) }
}
