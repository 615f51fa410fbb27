/**
 * Starts twenty nodes, or eight in a short run, at once on an empty database with PostgreSQL's default number of connections.
 * All must become ready, with one world id and one history, and take writes.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@worldwright/client'
import { startPostgres } from '../packages/postgres/src/server.fixture.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeThing, writeToken } from './served-world.ts'

const NODES = 20
const SHORT_NODES = 8
const THINGS = 1_000
const READY_MS = 120_000
const DEFINITION = `types:\n  - type: ${TYPE}\nsources:\n  - file: things.csv\n    type: ${TYPE}\n    id: id\n`

/** Runs the fault with 20 nodes, or 8 in a short run. */
export async function firstStarts({ short }: Effort): Promise<Finding> {
  const server = await startPostgres({ settings: ['max_connections=100'] })
  if (server === undefined) return notRun('this machine has no PostgreSQL')
  const folder = mkdtempSync(join(tmpdir(), 'world-first-'))
  try {
    return await run(server.url, folder, short ? SHORT_NODES : NODES)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await server.end()
  }
}

async function run(database: string, folder: string, nodes: number): Promise<Finding> {
  const began = performance.now()
  const storeOf = (at: number) => `${database}?cache=${join(folder, `${at}`, 'cache')}`
  const starts = await Promise.allSettled(
    Array.from({ length: nodes }, (_, at) => {
      const own = join(folder, `${at}`)
      mkdirSync(own)
      writeFileSync(join(own, 'world.yaml'), DEFINITION)
      const rows = Array.from({ length: THINGS }, (_, row) => `r${row},Thing ${row}\n`)
      writeFileSync(join(own, 'things.csv'), `id,title\n${rows.join('')}`)
      return serveWorld(storeOf(at), { workers: 1, folder: own })
    }),
  )
  const worlds = starts.flatMap((start) => (start.status === 'fulfilled' ? start.value : []))
  for (const start of starts) if (start.status === 'rejected') process.stderr.write(`${start.reason}\n`)
  try {
    const ready = (await Promise.all(worlds.map(isReady))).filter(Boolean).length
    const ms = performance.now() - began
    const token = await writeToken(storeOf(nodes))
    const written = await Promise.all(
      worlds.map(async ({ url }, at) => (await writeThing(url, token, `w${at}`, 'Thing')).status),
    )
    const ids = await Promise.all(worlds.map(async ({ url }) => (await connect(url)).id))
    const epochs = await Promise.all(worlds.map(epochOf))
    return finding(`${nodes} first starts at once, all ready after ${(ms / 1_000).toFixed(1)} s`, {
      'nodes not ready': nodes - ready,
      'world ids too many': new Set(ids).size - 1,
      'histories too many': new Set(epochs).size - 1,
      'writes that failed': written.filter((status) => status !== 201).length,
    })
  } finally {
    await Promise.all(worlds.map((world) => world.stop()))
  }
}

const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}?limit=1`

/** Waits until a node has all things of the sources. Returns false after two minutes. */
async function isReady({ url }: ServedWorld): Promise<boolean> {
  const hasAll = async () => {
    const response = await fetch(url + LIST)
    const { total } = (await response.json()) as { total?: number }
    return total === THINGS
  }
  return (await waitedFor(hasAll, READY_MS)) !== undefined
}

async function epochOf({ url }: ServedWorld): Promise<string | undefined> {
  const response = await fetch(url + LIST)
  await response.arrayBuffer()
  return response.headers.get('worldwright-position')?.split('-')[0]
}
