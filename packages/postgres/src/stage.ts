import type { PreparedEntity } from '@worldwright/core/store'
import { rowOf } from './copied-row.ts'
import { type Database, isDuplicate } from './database.ts'
import { bytes, text } from './rows.ts'
import type { Session } from './session.ts'
import { heartbeat, KEPT } from './staging.ts'

type Marks = readonly (number | undefined)[]

/**
 * Stages entities with distinct keys, along with their marks. Returns true for each entity that it staged, and false for
 * each entity whose key was already staged. @throws StoreFault `busy` if the import has ended
 */
export async function stage(
  database: Database,
  number: number,
  entities: readonly PreparedEntity[],
  marks: Marks,
): Promise<readonly boolean[]> {
  // Repeated keys are rare.
  if (await stageNew(database, number, entities, marks)) return entities.map(() => true)
  return database.writing(async (session) => {
    await heartbeat(session, number)
    return stageOrTell(session, number, entities, marks)
  })
}

/**
 * Stages entities with distinct keys by COPY, which is fastest. Stages nothing and returns false if any key was already
 * staged. @throws StoreFault `busy` if the import has ended
 */
async function stageNew(
  database: Database,
  number: number,
  entities: readonly PreparedEntity[],
  marks: Marks,
): Promise<boolean> {
  const rows = entities.map(({ type, id, revision, content }, at) =>
    rowOf([number, bytes(type), bytes(id), revision, content, marks[at]]),
  )
  try {
    await database.loading(async (session) => {
      await heartbeat(session, number)
      await session.copy('staged (import, type, id, revision, content, mark)', rows.join(''))
    })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** Stages entities with distinct keys. Returns false for each entity whose key was already staged. */
async function stageOrTell(
  session: Session,
  number: number,
  entities: readonly PreparedEntity[],
  marks: Marks,
): Promise<boolean[]> {
  const rows = await session.query<{ type: Buffer; id: Buffer }>(
    `INSERT INTO staged (import, type, id, revision, content, mark)
     SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::bigint[])
     ON CONFLICT (import, type, id) DO UPDATE
     SET revision = excluded.revision, content = excluded.content, mark = excluded.mark WHERE staged.content = '${KEPT}'
     RETURNING type, id`,
    [
      number,
      entities.map(({ type }) => bytes(type)),
      entities.map(({ id }) => bytes(id)),
      entities.map(({ revision }) => revision),
      entities.map(({ content }) => content),
      entities.map((_, at) => marks[at] ?? null),
    ],
  )
  const staged = new Set(rows.map(({ type, id }) => `${text(type)}\n${text(id)}`))
  return entities.map(({ type, id }) => staged.has(`${type}\n${id}`))
}
