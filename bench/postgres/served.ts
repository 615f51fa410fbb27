/** Measures writes over HTTP into a world over PostgreSQL, through one node and through three, beside `pgbench`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openStore, storeUrl } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'
import pg from 'pg'
import { postgresProgram } from '../../packages/postgres/src/server.fixture.ts'
import { openConnection } from '../http/connection.ts'
import { ALL_CORES } from '../http/cores.ts'
import { requestText } from '../http/load.ts'
import { type Effort, type Spread, spreadOf } from '../http/measure.ts'
import { type Server, startServe, WORKERS_READY } from '../http/servers.ts'
import type { Line } from '../http/table.ts'

const WRITERS = 16
const TYPES = 8
/** Number of entities per writer, written in turn. */
const ENTITIES = 500
const NODES = 3
/** Writes per second that a node must serve. */
const BAR = 1_500
/** Content of the next write. No content is repeated, because the store skips a write that changes nothing. */
let said = 0

const typeOf = (writer: number) => `bench:type-${writer % TYPES}`

/** Measures the writes per second of `world serve` with its defaults, and the single inserts per second of `pgbench`. */
export async function served(url: string, effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const store = (name: string) => storeUrl(`${url}?schema=served&cache=${name}`, folder)
  const token = await tokenFor(store('node-0'))
  const start = (name: string) =>
    startServe(name, folder, store(name), ALL_CORES, ['--operator', '--access-log'], WORKERS_READY)
  const nodes = [await start('node-0')]
  const inserts = await insertsBy(url, folder)
  try {
    const one = await inRounds(effort, [() => written(nodes, token, effort.seconds), inserts])
    while (nodes.length < NODES) nodes.push(await start(`node-${nodes.length}`))
    const three = await inRounds(effort, [() => written(nodes, token, effort.seconds), inserts])
    return [
      { question: '16 HTTP writers into 8 types, one node, writes a second', ...barred(one[0], BAR) },
      { question: 'the same through three nodes', ...barred(three[0], one[0].median) },
      { question: 'beside them: single inserts by `pgbench -c 16`, a second', bar: '', value: one[1] },
      { question: 'the same, beside three nodes', bar: '', value: three[1] },
    ]
  } finally {
    for (const node of nodes) await node.stop()
    rmSync(folder, { recursive: true })
  }
}

function barred(value: Spread, bar: number): Omit<Line, 'question'> {
  return { bar: `≥ ${Math.round(bar).toLocaleString('en')}`, value, met: value.median >= bar }
}

/** Creates the store with its types and returns a token to write it. */
async function tokenFor(url: string): Promise<string> {
  const store = await openStore(url, { role: 'writer' })
  // An operator may write only types that the world has.
  const first = { id: 'first', title: 'First', attributes: {} }
  await store.write(Array.from({ length: TYPES }, (_, at) => ({ put: { type: typeOf(at), ...first } })))
  const { token } = await createToken(store, { scopes: ['write'] })
  await store.close()
  return token
}

type Take = () => Promise<number>

/** Measures both ways in each round, after a round to warm up, which creates the types. */
async function inRounds(
  { rounds }: Effort,
  [ours, theirs]: readonly [Take, Take],
): Promise<[Spread, Spread]> {
  const taken: (readonly [number, number])[] = []
  for (let round = 0; round <= rounds; round++) {
    const both = [Math.round(await ours()), Math.round(await theirs())] as const
    if (round > 0) taken.push(both)
  }
  return [spreadOf(taken.map(([first]) => first)), spreadOf(taken.map(([, second]) => second))]
}

/** Measures acknowledged writes per second. Each writer has its connection, and writes again once it has its answer. */
async function written(nodes: readonly Server[], token: string, seconds: number): Promise<number> {
  const begun = performance.now()
  const end = begun + seconds * 1_000
  const counts = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      let count = 0
      const send = () => connection.send(writeBy(writer, count++, token), 0)
      const connection = openConnection(nodes[writer % nodes.length]?.port ?? 0, {
        answered(_connection, _planned, status) {
          if (status !== '200' && status !== '201') reject(new Error(`a write was answered with ${status}`))
          else if (performance.now() < end) return send()
          connection.close()
          resolve(count)
        },
        lost: () => reject(new Error('a write was lost')),
      })
      send()
      return promise
    }),
  )
  return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / (performance.now() - begun)
}

function writeBy(writer: number, count: number, token: string): Buffer {
  const about = { heightM: said, state: 'written', remark: 'as a sensor would' }
  const body = JSON.stringify({ title: `Written ${said++}`, attributes: about })
  const path = `/api/operator/v0/entities/${encodeURIComponent(typeOf(writer))}/w${writer}-${count % ENTITIES}`
  const head = requestText(path, {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  })
  return Buffer.from(head.replace(/^GET/, 'PUT') + body)
}

/** Returns a run of `pgbench` in which as many clients insert one row per transaction. */
async function insertsBy(url: string, folder: string): Promise<Take> {
  const program = postgresProgram('pgbench') ?? 'pgbench'
  const script = join(folder, 'insert.sql')
  writeFileSync(script, `INSERT INTO inserted (said) VALUES ('as a sensor would');\n`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE TABLE inserted (id bigserial PRIMARY KEY, said text)')
  await client.end()
  const args = ['-n', '-c', `${WRITERS}`, '-j', '2', '-M', 'prepared', '-T', '1', '-f', script, url]
  return async () => {
    const { stdout } = await promisify(execFile)(program, args)
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  }
}
