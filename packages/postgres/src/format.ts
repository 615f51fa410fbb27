/** Creates and migrates the tables of a store in PostgreSQL. */
import { mintEpoch, StoreFault } from '@worldwright/core/store'
import { type Database, isDuplicate, LostCommit } from './database.ts'
import { type FormatStep, STEPS } from './format-steps.ts'
import type { Queries, Session } from './session.ts'

/** Store format that this version reads and writes. */
const FORMAT = STEPS.length

/** Maximum wait for another process that creates the store, in milliseconds. */
const CREATED_MS = 60_000

/**
 * Formats that a store records: a node works on a store if its own format is between `least` and `format`. A new version
 * first expands the store, which keeps `least`, so that older nodes go on; a later one contracts it, which refuses them.
 */
export interface Formats {
  /** Format of what the store holds. */
  readonly format: number
  /** Oldest format whose nodes may read and write the store. */
  readonly least: number
}

/** Selects `Formats` from the table `store`, which has no column `content` in old formats. */
export const FORMATS = `coalesce((to_jsonb(store) ->> 'content')::int, format) AS format, format AS least`

/** Refuses a store on which this version cannot work. @throws StoreFault `newer_format`; `busy` until it is migrated */
export function refuseFormat({ format, least }: Formats): void {
  if (least > FORMAT)
    throw new StoreFault(
      'newer_format',
      `The store has format ${format}, for versions that know format ${least}; this one knows formats up to ${FORMAT}. Use a newer one.`,
    )
  if (format < FORMAT)
    throw new StoreFault(
      'busy',
      `The store has format ${format}, and this version needs ${FORMAT}: run world migrate.`,
    )
}

/** Returns the formats of the store in the schema, or undefined if there is no store. @throws StoreFault `not_a_store` */
async function formatsOf(session: Queries, schema: string): Promise<Formats | undefined> {
  const tables = await session.query<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = $1 AND relkind IN ('r', 'p', 'v', 'f')`,
    [schema],
  )
  // A store that is being created has only our own table `migrating`.
  if (tables.every(({ name }) => name === 'migrating')) return undefined
  if (!tables.some(({ name }) => name === 'store'))
    throw new StoreFault(
      'not_a_store',
      `The schema ${schema} holds tables of another program. It was not touched. Name another one: ?schema=NAME.`,
    )
  const [row] = await session.query<{ format: number; least: number }>(`SELECT ${FORMATS} FROM store`)
  return row
}

/**
 * Creates a missing store. If several processes open one at once, one creates it and the others wait. An existing store is
 * never migrated. @throws StoreFault `not_a_store`, `newer_format`; `busy` if it must be migrated
 */
export async function prepareStore(database: Database): Promise<void> {
  for (const deadline = performance.now() + CREATED_MS; ; ) {
    const formats = await formatsOf(database, database.address.schema)
    if (formats) return refuseFormat(formats)
    try {
      await migrateStore(database)
    } catch (error) {
      // Another process creates the store at the same time.
      const isBusy = error instanceof StoreFault && error.code === 'busy'
      if (!(isBusy || isDuplicate(error)) || performance.now() > deadline) throw error
    }
  }
}

/** Returns the formats of an existing store, and those it would have after `migrateStore`. @throws as `refuseFormat` if newer */
export async function plannedMigration(
  database: Database,
): Promise<{ from: Formats; to: Formats } | undefined> {
  const from = await formatsOf(database, database.address.schema)
  if (from && from.least > FORMAT) refuseFormat(from)
  return from && { from, to: formatsAfter(from, STEPS) }
}

function formatsAfter({ format, least }: Formats, steps: readonly FormatStep[]): Formats {
  const leasts = steps.slice(format).map((step) => step.least)
  return { format: Math.max(format, steps.length), least: Math.max(least, ...leasts) }
}

/** Creates a missing store and takes the steps that an older one lacks, all or none. @throws StoreFault `busy` */
export async function migrateStore(database: Database, steps: readonly FormatStep[] = STEPS): Promise<void> {
  try {
    await database.writing((session) => takeSteps(session, database.address.schema, steps))
  } catch (error) {
    if (!(error instanceof LostCommit)) throw error
    // If it was committed after all, nothing is left to do.
    await migrateStore(database, steps)
  }
}

async function takeSteps(session: Session, schema: string, steps: readonly FormatStep[]): Promise<void> {
  // Creating a schema that exists would need the right to create others.
  const [known] = await session.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  if (!known) await session.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  // If two processes create the same schema or table at once, one waits for the other and then checks again.
  await session.query(`CREATE TABLE IF NOT EXISTS ${schema}.migrating ()`)
  await session.query(`LOCK TABLE ${schema}.migrating`)
  const now = await formatsOf(session, schema)
  const { format, least } = formatsAfter(now ?? { format: 0, least: 0 }, steps)
  // Waits for the writes of nodes that are refused from now on, and lets them begin no more.
  if (now && least > now.least) session.send('LOCK TABLE types, rooms IN EXCLUSIVE MODE')
  for (const { sql } of steps.slice(now?.format ?? 0)) session.send(sql)
  if (now) session.send('UPDATE store SET format = $1, content = $2', [least, format])
  else
    session.send('INSERT INTO store (format, content, epoch, base) VALUES ($1, $2, $3, 0)', [
      least,
      format,
      mintEpoch(),
    ])
}
