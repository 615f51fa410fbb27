/** Determines the existence and size of a store in PostgreSQL. */
import { Database } from './database.ts'

/** Reports whether the store that a URL names exists. @throws StoreFault `unreachable`, `not_a_store` */
export function storeExists(url: string): Promise<boolean> {
  return asked(url, async (database) => {
    const [row] = await database.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
      `${database.address.schema}.store`,
    ])
    return row?.exists === true
  })
}

/** Returns the store's size in bytes, or 0 if there is no store. @throws StoreFault `unreachable`, `not_a_store` */
export function storeSize(url: string): Promise<number> {
  return asked(url, async (database) => {
    const [row] = await database.query<{ bytes: number | null }>(
      `SELECT sum(pg_total_relation_size(c.oid))::bigint AS bytes FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
      [database.address.schema],
    )
    return row?.bytes ?? 0
  })
}

/** Runs work on the database of a store, and closes its connections. @throws StoreFault */
export async function asked<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = new Database(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
