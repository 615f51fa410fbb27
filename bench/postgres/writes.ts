/** Single writes by eight writers: through a node as `world serve` has it, against bare SQL that writes the same rows. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '@worldwright/server'
import { openStore, storeUrl } from '@worldwright/server/stores'
import { withTypeInference } from '@worldwright/server/types'
import { withGroupCommit } from '@worldwright/server/workers'
import pg from 'pg'
import { type Effort, spreadOf } from '../http/measure.ts'
import type { Line } from '../http/per-request.ts'

const WRITERS = 8
/** Each writer has so many entities, which it writes in turn. */
const ENTITIES = 500
const SCHEMA = 'written'

/** Writes once, as this writer. */
type Write = (writer: number, count: number) => Promise<unknown>

/** Writes a second of all writers, ours against bare SQL: all into one type, and each into a type of its own. */
export async function writes(url: string, effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const store = storeUrl(`${url}?schema=${SCHEMA}`, folder)
  const node = withGroupCommit(withTypeInference(await openStore(store, { role: 'owner' })))
  const bare = await bareWriters(url)
  try {
    const lines: Line[] = []
    for (const [types, name] of [
      [1, 'one type'],
      [WRITERS, 'a type each'],
    ] as const) {
      const ratios: number[] = []
      const micros: [number, number][] = []
      for (let round = 0; round <= effort.rounds; round++) {
        const ours = await perSecond(throughNode(node, types), effort.seconds)
        const theirs = await perSecond(bare.write(types), effort.seconds)
        // In the first round types and connections are made.
        if (round === 0) continue
        ratios.push(ours / theirs)
        micros.push([1e6 / ours, 1e6 / theirs])
      }
      const median = (at: 0 | 1) => spreadOf(micros.map((one) => one[at])).median
      const value = spreadOf(ratios)
      lines.push({
        question: `writes by 8 writers, ${name}, against bare SQL`,
        bar: '≥ 0.6',
        value,
        met: value.median >= 0.6,
        micros: [median(0), median(1)],
      })
    }
    return lines
  } finally {
    await bare.end()
    await node.close()
    rmSync(folder, { recursive: true })
  }
}

/** Each writer begins its next write when its last one is done. */
async function perSecond(write: Write, seconds: number): Promise<number> {
  const begun = performance.now()
  const end = begun + seconds * 1_000
  const counts = await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      let count = 0
      for (; performance.now() < end; count++) await write(writer, count)
      return count
    }),
  )
  return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / (performance.now() - begun)
}

const typeOf = (writer: number, types: number) => `bench:type-${writer % types}`
const idOf = (writer: number, count: number) => `w${writer}-${count % ENTITIES}`
const attributesOf = (count: number) => ({ heightM: count, state: 'written', remark: 'as a sensor would' })

function throughNode(node: Storage, types: number): Write {
  return async (writer, count) => {
    const entity = {
      type: typeOf(writer, types),
      id: idOf(writer, count),
      title: `Written ${count}`,
      attributes: attributesOf(count),
    }
    const result = await node.write([{ put: entity }])
    if (!result.done) throw new Error('a write was refused')
  }
}

interface BareWriters {
  write(types: number): Write
  end(): Promise<void>
}

/**
 * What somebody would write by hand: a connection for each writer and one prepared statement for each write, which commits
 * by itself. Tables, keys and indexes are those of the store, in a schema beside it.
 */
async function bareWriters(url: string): Promise<BareWriters> {
  const clients = Array.from({ length: WRITERS }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const tables = ['entities', 'deletions', 'types', 'writes']
  const made = tables.map((table) => `CREATE TABLE bare.${table} (LIKE ${SCHEMA}.${table} INCLUDING ALL)`)
  await clients[0]?.query(`DROP SCHEMA IF EXISTS bare CASCADE; CREATE SCHEMA bare; ${made.join(';')}`)
  for (let writer = 0; writer < WRITERS; writer++)
    for (const types of [1, WRITERS])
      await clients[0]?.query('INSERT INTO bare.types (type, number) VALUES ($1, 1) ON CONFLICT DO NOTHING', [
        Buffer.from(typeOf(writer, types)),
      ])
  return {
    write: (types) => async (writer, count) => {
      const id = idOf(writer, count)
      const type = typeOf(writer, types)
      const createdAt = new Date().toISOString()
      const json = JSON.stringify({
        type,
        id,
        title: `Written ${count}`,
        attributes: attributesOf(count),
        createdAt,
      })
      await clients[writer]?.query({
        name: 'write',
        text: BARE,
        values: [Buffer.from(type), Buffer.from(id), randomUUID(), json, createdAt],
      })
    },
    async end() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}

const BARE = `WITH numbered AS (SELECT pg_current_xact_id()::text::bigint AS number),
  grown AS (
    UPDATE bare.types t SET number = n.number, high = greatest(t.high, n.number),
      count = t.count + (SELECT count(*) FROM (SELECT 1 WHERE NOT EXISTS (
        SELECT 1 FROM bare.entities e WHERE e.type = $1 AND e.id = $2)) AS created)
    FROM numbered n WHERE t.type = $1
  ),
  known AS (DELETE FROM bare.deletions WHERE type = $1 AND id = $2),
  noted AS (INSERT INTO bare.writes (id) VALUES ($3::uuid))
  INSERT INTO bare.entities (type, id, revision, json, created_at, number)
  SELECT $1, $2, $3::text, $4, $5, number FROM numbered
  ON CONFLICT (type, id) DO UPDATE
  SET revision = excluded.revision, json = excluded.json, created_at = excluded.created_at, number = excluded.number`
