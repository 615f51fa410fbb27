/** Manages the staged rows of imports. Each function runs in its caller's transaction. */
import { randomInt } from 'node:crypto'
import type { EntityKey, ImportCounts, Precedence, UnstagedCount } from '@worldwright/core/store'
import { precedenceOf, StoreFault } from '@worldwright/core/store'
import { bytes, text } from './rows.ts'
import type { Queries, Session } from './session.ts'

/**
 * Content of a staged row that only protects an entity named in `AddOptions.keep`. Other rows without a revision protect
 * owned entities: their content is the revision in the files, or empty if the files lack the entity.
 */
export const KEPT = '-'

type Precedences = Readonly<Record<string, Precedence>>

/** Time since its last heartbeat after which an import is considered dead. */
const DEAD_AFTER = `interval '10 minutes'`

/** Begins an import and returns its number. Marks dead imports as finished. */
export async function begin(session: Session): Promise<number> {
  await session.query(
    `UPDATE imports SET finished = true WHERE NOT finished AND heartbeat < now() - ${DEAD_AFTER}`,
  )
  const number = randomInt(2 ** 48 - 1)
  await session.query('INSERT INTO imports (import) VALUES ($1)', [number])
  return number
}

/** Records a heartbeat. @throws StoreFault `busy` if the import has ended */
export async function heartbeat(session: Queries, number: number): Promise<void> {
  const [row] = await session.query(
    'UPDATE imports SET heartbeat = now() WHERE import = $1 AND NOT finished RETURNING import',
    [number],
  )
  refuseExpired(row)
}

/** Ends an import. Does nothing if it has already ended. */
export async function abandon(session: Session, number: number): Promise<void> {
  await session.query(FINISH, [number])
}

/** Ends an import. @throws StoreFault `busy` if it has already ended */
export async function finish(session: Session, number: number): Promise<void> {
  const [row] = await session.query(FINISH, [number])
  refuseExpired(row)
}

const FINISH = 'UPDATE imports SET finished = true WHERE import = $1 AND NOT finished RETURNING import'

/** Throws if `row` is undefined, because the import has ended. @throws StoreFault `busy` */
function refuseExpired(row: object | undefined): void {
  if (row === undefined)
    throw new StoreFault(
      'busy',
      'This import has ended: its process seemed to be gone, or its database has lost what it had staged. Start it again.',
    )
}

/** Removes the staged rows of imports that have ended. */
export async function removeFinished(session: Session): Promise<void> {
  await session.query('DELETE FROM staged WHERE import IN (SELECT import FROM imports WHERE finished)')
  await session.query('DELETE FROM imports WHERE finished')
}

/** Protects the stored entities with these keys from deletion. */
export async function protect(session: Session, number: number, keys: readonly EntityKey[]): Promise<void> {
  await session.query(
    `INSERT INTO staged (import, type, id, revision, content)
     SELECT DISTINCT $1::bigint, t, i, '', '${KEPT}' FROM unnest($2::bytea[], $3::bytea[]) AS k (t, i) ON CONFLICT DO NOTHING`,
    [number, keys.map(({ type }) => bytes(type)), keys.map(({ id }) => bytes(id))],
  )
}

/** Returns the mark of the entity staged under a key, or undefined if there is none. */
export async function markOf(
  session: Queries,
  number: number,
  { type, id }: EntityKey,
): Promise<number | undefined> {
  const [row] = await session.query<{ mark: number | null }>(
    'SELECT mark FROM staged WHERE import = $1 AND type = $2 AND id = $3',
    [number, bytes(type), bytes(id)],
  )
  return row?.mark ?? undefined
}

/** Returns the types of the staged rows. */
export async function stagedTypes(session: Session, number: number): Promise<string[]> {
  const rows = await session.query<{ type: Buffer }>('SELECT DISTINCT type FROM staged WHERE import = $1', [
    number,
  ])
  return rows.map(({ type }) => text(type))
}

/** Returns those of the given types that have been filled from files. */
async function filledOf(session: Session, types: readonly string[]): Promise<Set<string>> {
  const rows = await session.query<{ type: Buffer }>(
    'SELECT type FROM types WHERE filled AND type = ANY($1)',
    [types.map(bytes)],
  )
  return new Set(rows.map(({ type }) => text(type)))
}

/**
 * Prevents the import from overwriting or deleting owned entities, according to precedence. Returns the types whose
 * unstaged entities are to be deleted. Without `files`, prevents nothing and returns all of `replace`.
 */
export async function settle(
  session: Session,
  number: number,
  replace: readonly string[],
  files: Precedences | undefined,
): Promise<readonly string[]> {
  if (!files) return replace
  const staged = await stagedTypes(session, number)
  const filled = await filledOf(session, [...staged, ...replace])
  for (const type of staged) {
    const precedence = precedenceOf(type, files)
    if (precedence === 'api' && !filled.has(type)) await holdStored(session, number, type)
    else if (precedence !== 'files') await holdOwned(session, number, type, precedence)
  }
  const gone: string[] = []
  for (const type of replace) {
    const precedence = precedenceOf(type, files)
    // Files have never filled this type, so another writer wrote all its stored entities.
    if (precedence !== 'files' && !filled.has(type)) continue
    if (precedence !== 'files') await keepOwned(session, number, type, precedence)
    gone.push(type)
  }
  return gone
}

async function holdStored(session: Session, number: number, type: string): Promise<void> {
  await session.query(
    `UPDATE staged s SET content = s.revision, revision = '' FROM entities e
     WHERE s.import = $1 AND s.type = $2 AND s.revision <> '' AND e.type = s.type AND e.id = s.id AND e.revision <> s.revision`,
    [number, bytes(type)],
  )
}

async function holdOwned(session: Session, number: number, type: string, wins: Precedence): Promise<void> {
  await session.query(
    `UPDATE staged s SET content = s.revision, revision = '' FROM owned o
     WHERE s.import = $1 AND s.type = $2 AND s.revision <> '' AND o.type = s.type AND o.id = s.id
       AND ($3 = 'api' OR o.filed = s.revision) AND NOT EXISTS (
         SELECT 1 FROM entities e WHERE e.type = s.type AND e.id = s.id AND e.revision = s.revision
       )`,
    [number, bytes(type), wins],
  )
}

/** Keeps unstaged owned entities. With precedence `last`, keeps only those that the last import of the files lacked. */
async function keepOwned(session: Session, number: number, type: string, wins: Precedence): Promise<void> {
  await session.query(
    `INSERT INTO staged (import, type, id, revision, content)
     SELECT $1, o.type, o.id, '', '' FROM owned o JOIN entities e ON e.type = o.type AND e.id = o.id
     WHERE o.type = $2 AND ($3 = 'api' OR coalesce(o.filed, '') = '') ON CONFLICT DO NOTHING`,
    [number, bytes(type), wins],
  )
}

/** Counts stored entities that are only protected (`kept`) or not staged (`missing`, 0 if the type is not in `someGo`). */
export async function unstaged(
  session: Session,
  number: number,
  types: readonly string[],
  someGo: ReadonlySet<string>,
): Promise<Map<string, UnstagedCount>> {
  const counts = new Map<string, UnstagedCount>()
  for (const type of types) {
    const [row] = await session.query<UnstagedCount>(
      `SELECT count(*) FILTER (WHERE s.content = '${KEPT}') AS kept, count(*) FILTER (WHERE s.import IS NULL) AS missing
       FROM entities e LEFT JOIN staged s ON s.import = $1 AND s.type = e.type AND s.id = e.id WHERE e.type = $2`,
      [number, bytes(type)],
    )
    counts.set(type, { kept: row?.kept ?? 0, missing: someGo.has(type) ? (row?.missing ?? 0) : 0 })
  }
  return counts
}

/** Effect of committing an import. */
export interface Comparison {
  readonly counts: ImportCounts
  /** Change in the entity count of each changed type. */
  readonly growth: ReadonlyMap<string, number>
}

/** Compares staged with stored entities. `gone` lists the types whose unstaged entities are deleted. */
export async function compare(
  session: Session,
  number: number,
  gone: readonly string[],
): Promise<Comparison> {
  const staged = await session.query<{ type: Buffer; created: number; changed: number; unchanged: number }>(
    `SELECT s.type, count(*) FILTER (WHERE s.revision <> '' AND e.revision IS NULL) AS created,
       count(*) FILTER (WHERE s.revision <> '' AND e.revision <> s.revision) AS changed,
       count(*) FILTER (WHERE s.revision = '' OR e.revision = s.revision) AS unchanged
     FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
     WHERE s.import = $1 AND s.content NOT IN ('', '${KEPT}') GROUP BY s.type`,
    [number],
  )
  const missing = await unstaged(session, number, gone, new Set(gone))
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  const growth = new Map<string, number>()
  for (const { type, created, changed, unchanged } of staged) {
    counts.created += created
    counts.changed += changed
    counts.unchanged += unchanged
    if (created + changed > 0) growth.set(text(type), created)
  }
  for (const [type, { missing: deleted }] of missing) {
    counts.deleted += deleted
    if (deleted > 0) growth.set(type, (growth.get(type) ?? 0) - deleted)
  }
  return { counts, growth }
}

/** Parameters for putting staged rows in place. */
export interface Placing {
  /** Number of the import. */
  readonly number: number
  /** Number of the write. */
  readonly position: number
  /** Time of the write, formatted as an entity timestamp. */
  readonly timestamp: string
  /** Time of the write, in milliseconds since 1970. */
  readonly at: number
  readonly gone: readonly string[]
}

/** Puts the staged entities in place and deletes the unstaged entities of the types in `gone`. */
export async function place(
  session: Session,
  { number, position, timestamp, at, gone }: Placing,
): Promise<void> {
  // Builds the JSON like `storedFrom` and `changedFrom`, without passing every row through this process.
  await session.query(
    `INSERT INTO entities (type, id, revision, json, created_at, number)
     SELECT s.type, s.id, s.revision,
       left(s.content, -1) || ',"createdAt":"' || c.created || '","updatedAt":"' || greatest($2 COLLATE "C", c.created) ||
         '","revision":"' || s.revision || '"}', c.created, $3
     FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id,
       LATERAL (SELECT coalesce(e.created_at, $2) COLLATE "C" AS created) AS c
     WHERE s.import = $1 AND s.revision <> '' AND e.revision IS DISTINCT FROM s.revision
     ON CONFLICT (type, id) DO UPDATE
     SET revision = excluded.revision, json = excluded.json, created_at = excluded.created_at, number = excluded.number`,
    [number, timestamp, position],
  )
  await session.query(
    `DELETE FROM deletions d USING staged s
     WHERE s.import = $1 AND s.type = d.type AND s.id = d.id AND s.revision <> ''`,
    [number],
  )
  for (const type of gone)
    await session.query(
      `WITH gone AS (
         DELETE FROM entities e WHERE e.type = $2 AND NOT EXISTS (
           SELECT 1 FROM staged s WHERE s.import = $1 AND s.type = e.type AND s.id = e.id
         ) RETURNING type, id
       )
       INSERT INTO deletions (type, id, number, deleted_at) SELECT type, id, $3, $4 FROM gone
       ON CONFLICT (type, id) DO UPDATE SET number = excluded.number, deleted_at = excluded.deleted_at`,
      [number, bytes(type), position, at],
    )
}
