/** Effect of group commit: one writer and eight writers at the operator API of a world. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'
import { SERVER_CORES } from './cores.ts'
import { fillStore, idOf, TYPE } from './data.ts'
import { requestText } from './load.ts'
import { type Effort, load, spreadOf } from './measure.ts'
import { type Server, startWorld, WORKERS_READY } from './servers.ts'
import type { Line } from './table.ts'

const ENTITIES = 1_000
const WRITERS = 8
/** Number of writes per measurement, small enough for a slow disk: the load generator waits five seconds for answers. */
const WRITES = 200

/** Result of a measurement. */
interface Written {
  readonly perSecond: number
  /** Commits per write. Only commits of writes wait for the disk; commits that maintain the search index do not. */
  readonly commits: number
}

/** Measures writes per second, eight writers against one, and the commits per write of both. */
export async function writers(effort: Effort): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const store = join(folder, 'world.db')
  await fillStore(store, ENTITIES)
  const requests = writesWith(await tokenFor(store))
  const flags = ['--operator', '--workers', '2']
  const server = await startWorld('world serve', store, SERVER_CORES, flags, WORKERS_READY)
  try {
    const alone: Written[] = []
    const together: Written[] = []
    for (let round = 0; round <= effort.rounds; round += 1) {
      const one = await written(server, store, requests, 1)
      const eight = await written(server, store, requests, WRITERS)
      if (round === 0) continue
      alone.push(one)
      together.push(eight)
    }
    const ratios = together.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN))
    const commits = (all: readonly Written[]) => spreadOf(all.map((one) => one.commits))
    return [
      { question: 'writes a second, 8 writers against 1', bar: '', value: spreadOf(ratios) },
      { question: 'commits per write, 1 writer', bar: '', value: commits(alone) },
      { question: 'commits per write, 8 writers', bar: '', value: commits(together) },
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function tokenFor(file: string): Promise<string> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const { token } = await createToken(store, { scopes: ['write'] })
  await store.close()
  return token
}

/** Measures the total time of all writes, which is `max`: all are due at once, and each writer awaits acknowledgements. */
async function written(
  server: Server,
  store: string,
  requests: readonly string[],
  connections: number,
): Promise<Written> {
  const before = commitsOf(store)
  const seconds = 0.001
  const plan = { port: server.port, requests, connections, perSecond: WRITES / seconds, seconds }
  const { statuses, max } = await load(plan)
  if (statuses['200'] !== WRITES) throw new Error(`not every write was done: ${JSON.stringify(statuses)}`)
  return { perSecond: (WRITES / max) * 1_000, commits: (commitsOf(store) - before) / WRITES }
}

/** Returns two writes per entity with different bodies, so that every write changes something. */
function writesWith(token: string): string[] {
  return Array.from({ length: WRITES }, (_, index) => {
    const entity = index % (WRITES / 2)
    const body = JSON.stringify({ title: `Written ${index}`, attributes: { heightM: index } })
    const path = `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/${idOf(entity)}`
    const head = requestText(path, {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    })
    return head.replace(/^GET/, 'PUT') + body
  })
}

/** Returns the number of commits: `iChange` of SQLite's WAL index (https://sqlite.org/walformat.html), 4 bytes at byte 8. */
function commitsOf(store: string): number {
  return readFileSync(`${store}-shm`).readUInt32LE(8)
}
