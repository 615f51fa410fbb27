/** Looking at every part of a store: the file, the entities, and what is derived from them. */
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { visitReferences } from '@worldwright/client/protocol'
import { checksumOf } from './checksum.ts'
import { connectReader, refuseOtherFiles } from './connect.ts'
import { entityIn, entityProblem } from './entity-problem.ts'
import { query } from './row-query.ts'
import { faultFrom } from './sqlite-faults.ts'

/** What was found in a store. */
export interface StoreReport {
  readonly entities: number
  /** Entities per type, ascending by type. */
  readonly types: Readonly<Record<string, number>>
  /** A digest over types, ids and revisions: stores with the same content have the same one, times aside. */
  readonly contentHash: string
  /** Damage, in words; empty where the store is sound. At most a hundred. */
  readonly problems: readonly string[]
  /** References of this world's entities to entities that do not exist: no damage, but worth knowing. */
  readonly dangling: number
  readonly danglingExamples: readonly string[]
}

const MAX_PROBLEMS = 100
const EXAMPLES = 20

/** Reads all of a store, from one snapshot, in constant memory. @throws StorageFault where it cannot be opened */
export function verifyStore(file: string): StoreReport {
  const path = resolve(file)
  refuseOtherFiles(path)
  const db = connectReader(path)
  try {
    db.exec('BEGIN')
    return reportOn(db)
  } catch (error) {
    throw faultFrom(error)
  } finally {
    db.close()
  }
}

function reportOn(db: DatabaseSync): StoreReport {
  const problems: string[] = []
  const note = (problem: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }
  for (const { integrity_check: said } of db.prepare('PRAGMA integrity_check').all())
    if (said !== 'ok') note(`SQLite says: ${said}.`)
  const digest = createHash('sha256')
  const types: Record<string, number> = {}
  const examples: string[] = []
  let entities = 0
  let dangling = 0
  const exists = query<[number]>(db, 'SELECT 1 FROM entities WHERE type = ? AND id = ?')
  const rows = query<[string, string, string, string, number | null]>(
    db,
    'SELECT type, id, revision, json, checksum FROM entities ORDER BY type, id',
  )
  for (const [type, id, revision, json, checksum] of rows.iterate()) {
    entities += 1
    types[type] = (types[type] ?? 0) + 1
    digest.update(`${type}\n${id}\n${revision}\n`)
    const entity = entityIn(json)
    const problem =
      entityProblem({ type, id, revision, json }, entity) ??
      (checksum === checksumOf(type, id, revision, json)
        ? undefined
        : 'has another checksum than was written')
    if (problem !== undefined) note(`${type} ${id}: ${problem}.`)
    visitReferences(entity?.attributes ?? null, (reference) => {
      if (exists.get(reference.type, reference.id) !== undefined) return
      dangling += 1
      if (examples.length < EXAMPLES)
        examples.push(`${type} ${id}: there is no ${reference.type} ${reference.id}`)
    })
  }
  for (const [type, count] of query<[string, number]>(db, 'SELECT type, count FROM types').all()) {
    if (count !== (types[type] ?? 0)) note(`${type} counts ${count} entities and has ${types[type] ?? 0}.`)
  }
  return {
    entities,
    types,
    contentHash: digest.digest('hex'),
    problems,
    dangling,
    danglingExamples: examples,
  }
}
