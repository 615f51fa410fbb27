/** Records which entities are owned, before an import's rows are put in place. */
import { type Precedence, precedenceOf } from '@worldwright/core/store'
import { bytes, type Held } from './rows.ts'
import type { Session } from './session.ts'
import { KEPT } from './staging.ts'

/** Import for which ownership is recorded. `gone` lists the types whose unstaged entities it deletes. */
export interface NotedImport {
  readonly number: number
  readonly types: ReadonlySet<string>
  readonly gone: readonly string[]
}

const isMissing = `NOT EXISTS (
  SELECT 1 FROM staged s WHERE s.import = $1 AND s.type = o.type AND s.id = o.id AND s.content <> '')`

/** For each precedence, SQL that updates ownership of the entities of one replaced type that are missing from the files. */
const SETTLE: Readonly<Record<Precedence, string>> = {
  api: `UPDATE owned o SET filed = '' WHERE o.type = $2 AND o.filed IS NOT NULL AND ${isMissing}`,
  last: `DELETE FROM owned o WHERE o.type = $2 AND coalesce(o.filed, '') <> '' AND ${isMissing}`,
  files: `DELETE FROM owned o WHERE o.type = $2 AND ${isMissing}`,
}

/** Records ownership for an import that does not come from files. */
export async function noteImport(session: Session, { types: held }: Held, noted: NotedImport): Promise<void> {
  const { number, types, gone } = noted
  for (const type of types) {
    if (!held.get(type)?.isFilled) continue
    await session.query(
      `INSERT INTO owned (type, id, filed)
       SELECT s.type, s.id, e.revision FROM staged s LEFT JOIN entities e ON e.type = s.type AND e.id = s.id
       WHERE s.import = $1 AND s.type = $2 AND s.revision <> '' AND e.revision IS DISTINCT FROM s.revision
       ON CONFLICT DO NOTHING`,
      [number, bytes(type)],
    )
  }
  for (const type of gone) {
    if (!held.get(type)?.isFilled) continue
    await session.query(
      `INSERT INTO owned (type, id, filed)
       SELECT e.type, e.id, e.revision FROM entities e WHERE e.type = $2 AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE s.import = $1 AND s.type = e.type AND s.id = e.id
       ) ON CONFLICT DO NOTHING`,
      [number, bytes(type)],
    )
    await session.query(
      `DELETE FROM owned o WHERE o.type = $2 AND o.filed IS NULL AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE s.import = $1 AND s.type = o.type AND s.id = o.id
       )`,
      [number, bytes(type)],
    )
  }
}

/** Records ownership for an import of files. */
export async function noteFiles(
  session: Session,
  { types: held }: Held,
  { number, types, gone }: NotedImport,
  files: Readonly<Record<string, Precedence>>,
): Promise<void> {
  for (const type of types) {
    if (held.get(type)?.isFilled) continue
    if (precedenceOf(type, files) !== 'files')
      await session.query(
        `INSERT INTO owned (type, id, filed)
         SELECT e.type, e.id, nullif(s.content, '${KEPT}') FROM entities e
         LEFT JOIN staged s ON s.import = $1 AND s.type = e.type AND s.id = e.id
         WHERE e.type = $2 AND coalesce(s.revision, '') = '' ON CONFLICT DO NOTHING`,
        [number, bytes(type)],
      )
    await session.query('UPDATE types SET filled = true WHERE type = $1', [bytes(type)])
  }
  const [any] = await session.query('SELECT 1 FROM owned LIMIT 1')
  if (any === undefined) return
  await session.query(
    `DELETE FROM owned o USING staged s
     WHERE s.import = $1 AND s.type = o.type AND s.id = o.id AND s.revision <> ''`,
    [number],
  )
  await session.query(
    `UPDATE owned o SET filed = s.content FROM staged s
     WHERE s.import = $1 AND s.type = o.type AND s.id = o.id AND s.revision = '' AND s.content NOT IN ('', '${KEPT}')`,
    [number],
  )
  for (const type of gone) await session.query(SETTLE[precedenceOf(type, files)], [number, bytes(type)])
}
