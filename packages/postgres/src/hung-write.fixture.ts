/** Hangs a node within a write, for tests of how long it keeps the rows from the others. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { Database } from './database.ts'

const HOLD = 'SELECT FROM public.rows FOR UPDATE'

/**
 * Locks rows over `url`, hangs, and locks them over `healthyUrl`. Returns how often that was refused, at most 4 times, after
 * two seconds each. `hang` gets the connection that holds the rows.
 */
export async function refusalsAfter(
  hang: (client: Client) => void,
  url: string,
  healthyUrl = url,
): Promise<number> {
  const [hung, healthy] = [new Database(url), new Database(healthyUrl)]
  await healthy.query('CREATE TABLE IF NOT EXISTS public.rows AS SELECT 1 AS n')
  const connect = hung.primary.connect.bind(hung.primary)
  const opened = Promise.withResolvers<Client>()
  hung.primary.connect = async (pipeline) => {
    const client = await connect(pipeline)
    opened.resolve(client)
    return client
  }
  const held = Promise.withResolvers<void>()
  const writing = hung.writing(async (session) => {
    await session.query(HOLD)
    held.resolve()
    return pause(60_000)
  })
  writing.catch(() => {})
  await held.promise
  const client = await opened.promise
  hang(client)
  let refusals = 0
  const isLocked = () =>
    healthy
      .writing((session) => session.query(HOLD))
      .then(
        () => true,
        () => false,
      )
  while (refusals < 4 && !(await isLocked())) refusals++
  client.connection.stream.destroy()
  await healthy.close()
  return refusals
}
