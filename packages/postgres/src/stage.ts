/** Staging what an import holds. */
import type { PreparedEntity } from '@worldwright/core/store'
import { rowOf } from './copied-row.ts'
import { type Database, isDuplicate } from './database.ts'
import { bytes, text } from './rows.ts'
import type { Session } from './session.ts'
import { heartbeat, KEPT } from './staging.ts'

type Marks = readonly (number | undefined)[]

/**
 * Stages entities of different keys, with their marks. Answers which were staged: not those of a key that is staged
 * already. @throws StorageFault `busy` where the import has ended
 */
export async function stage(
  database: Database,
  number: number,
  entities: readonly PreparedEntity[],
  marks: Marks,
): Promise<readonly boolean[]> {
  // Few keys come twice, or none.
  if (await stageNew(database, number, entities, marks)) return entities.map(() => true)
  return database.writing(async (session) => {
    await heartbeat(session, number)
    return stageOrTell(session, number, entities, marks)
  })
}

/**
 * Stages entities of different keys, none of which is staged, in the fastest way. False, with nothing done, where one is after
 * all. @throws StorageFault `busy` where the import has ended
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

/** Stages entities of different keys, and tells which: not those of a key that is staged already. */
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
