/** Compares single writes by eight writers through a node, opened as by `world serve`, with bare SQL for the same rows. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { openStore, storeUrl } from '@worldwright/engines'
import { withTypeInference } from '@worldwright/entities/types'
import { withGroupCommit } from '@worldwright/serve/workers'
import pg from 'pg'
import { type Effort, spreadOf } from '../http/measure.ts'
import type { Line } from '../http/table.ts'

const WRITERS = 8
/** Number of entities per writer, written in turn. */
const ENTITIES = 500
const SCHEMA = 'written'
/** Content of the next write. No content is repeated, because the store skips a write that changes nothing. */
let said = 0

/** Performs a single write of the given writer. */
type Write = (writer: number, count: number) => Promise<unknown>

/**
 * Measures the total writes per second through a node and into a file, each against bare SQL, with all writers on one
 * type and with a type per writer. The file shows how much of a node's time its local replica takes.
 */
export async function writes(url: string, effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const node = await served(storeUrl(`${url}?schema=${SCHEMA}`, folder))
  const file = await served(storeUrl('sqlite:file.db', folder))
  const bare = await bareWriters(url)
  try {
    const lines: Line[] = []
    for (const [types, name] of [
      [1, 'one type'],
      [WRITERS, 'a type each'],
    ] as const) {
      const ways = [into(node, types), into(file, types), bare.write(types)]
      const perRound: number[][] = []
      for (let round = 0; round <= effort.rounds; round++) {
        const counts: number[] = []
        for (const way of ways) counts.push(await perSecond(way, effort.seconds))
        // The first round is a warm-up that creates types and connections.
        if (round > 0) perRound.push(counts)
      }
      const against = (at: number) => againstLast(perRound, at)
      const throughNode = against(0)
      lines.push(
        {
          question: `writes by 8 writers, ${name}, against bare SQL`,
          bar: '≥ 0.6',
          ...throughNode,
          met: throughNode.value.median >= 0.6,
        },
        { question: 'the same into a file, against bare SQL', bar: '', ...against(1) },
      )
    }
    return lines
  } finally {
    await bare.end()
    await node.close()
    await file.close()
    rmSync(folder, { recursive: true })
  }
}

/** Opens a store as `world serve` does. */
async function served(url: string): Promise<Store> {
  return withGroupCommit(withTypeInference(await openStore(url, { role: 'writer' })))
}

/** Compares one method with the last one, over all rounds. */
function againstLast(rounds: readonly (readonly number[])[], at: number): Pick<Line, 'value' | 'micros'> {
  const of = (counts: readonly number[], at: number) => counts.at(at) ?? 0
  const micros = (at: number) => spreadOf(rounds.map((counts) => 1e6 / of(counts, at))).median
  return {
    value: spreadOf(rounds.map((counts) => of(counts, at) / of(counts, -1))),
    micros: [micros(at), micros(-1)],
  }
}

/** Measures writes per second. Each writer starts its next write as soon as the previous one is done. */
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
const contentOf = (said: number) => ({
  title: `Written ${said}`,
  attributes: { heightM: said, state: 'written', remark: 'as a sensor would' },
})

function into(store: Store, types: number): Write {
  return async (writer, count) => {
    const entity = {
      type: typeOf(writer, types),
      id: idOf(writer, count),
      ...contentOf(said++),
    }
    const result = await store.write([{ put: entity }])
    if (!result.done) throw new Error('a write was refused')
  }
}

interface BareWriters {
  write(types: number): Write
  end(): Promise<void>
}

/**
 * Hand-written SQL as a baseline: one connection per writer and one prepared, autocommitted statement per write. Tables,
 * keys and indexes are those of the store, in a separate schema.
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
      const json = JSON.stringify({ type, id, ...contentOf(said++), createdAt })
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
