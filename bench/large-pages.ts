/**
 * Measures the cost of pages and downloads of a large world: time to first byte, time to last byte, and total memory of
 * all processes. Queries `world serve` with one worker over 1.2 million entities, or as many as the argument specifies.
 */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SERVER_CORES } from './http/cores.ts'
import { benchStore, idOf, MANY, TYPE } from './http/data.ts'
import { type Server, startWorld } from './http/servers.ts'

/** Number of requests of each kind, each for a different entity. The median is reported. */
const REQUESTS = 200
/** Interval between memory samples, and before a retry of an answer that was not ready, in milliseconds. */
const LOOK = 100
const AGAIN = 1_000

const JSON_TARGET = 'an entity as JSON'

/** Status, milliseconds and bytes of an answer. */
interface Taken {
  readonly status: number
  readonly first: number
  readonly whole: number
  readonly bytes: number
}

/** Serves a world with this many entities, queries it, and prints a line for each kind of answer. */
async function largePages(entities: number): Promise<void> {
  const store = await benchStore(entities)
  // A world without a public URL has no sitemaps.
  const port = String(await freePort())
  const flags = ['--workers', '1', '--port', port, '--public-url', `http://127.0.0.1:${port}`]
  const server = await startWorld('pages', store, SERVER_CORES, flags)
  const type = encodeURIComponent(TYPE)
  const some = (at: number) => idOf((at * 7_919_001) % entities)
  try {
    const base = await median(server, JSON_TARGET, (at) => `/api/world/v0/entities/${type}/${some(at)}`)
    await median(server, 'the page of an entity', (at) => `/t/${type}/${some(at)}`, base)
    await median(server, 'the same pages again', (at) => `/t/${type}/${some(at)}`, base)
    await median(server, 'the first page of the list', () => `/t/${type}`, base)
    await median(server, 'the home', () => '/', base)
    for (const path of [
      '/sitemap.xml',
      `/download/${type}.ndjson`,
      `/download/${type}.csv`,
      `/download/${type}.parquet`,
    ])
      for (const time of ['made', 'again']) await one(server, `${path}, ${time}`, path)
  } finally {
    await server.stop()
  }
}

async function median(
  server: Server,
  name: string,
  target: (at: number) => string,
  base?: number,
): Promise<number> {
  const firsts: number[] = []
  for (let at = 0; at < REQUESTS; at += 1) {
    const { status, first } = await take(server, target(at))
    if (status !== 200) throw new Error(`${target(at)} is answered with ${status}`)
    firsts.push(first)
  }
  const middle = firsts.toSorted((a, b) => a - b)[REQUESTS / 2] ?? Number.NaN
  const ratio = base === undefined ? '' : `, ${(middle / base).toFixed(1)} of ${JSON_TARGET}`
  say(`${name}: first byte after ${middle.toFixed(1)} ms${ratio}; ${memoryOf(server)} MB`)
  return middle
}

/** Times an answer that takes long to generate, and samples memory meanwhile. */
async function one(server: Server, name: string, path: string): Promise<void> {
  const begun = performance.now()
  let most = 0
  const looking = setInterval(() => {
    most = Math.max(most, memoryOf(server))
  }, LOOK)
  try {
    for (;;) {
      const { status, first, whole, bytes } = await take(server, path)
      if (status === 503) {
        await new Promise((wake) => setTimeout(wake, AGAIN))
        continue
      }
      if (status !== 200) throw new Error(`${path} is answered with ${status}`)
      const asked = performance.now() - begun - whole
      say(
        `${name}: first byte after ${(asked + first).toFixed(0)} ms, whole after ${(asked + whole).toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB; up to ${Math.max(most, memoryOf(server))} MB resident`,
      )
      return
    }
  } finally {
    clearInterval(looking)
  }
}

async function take({ port }: Server, target: string): Promise<Taken> {
  const begun = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { 'accept-encoding': 'identity' },
  })
  let [first, bytes] = [Number.NaN, 0]
  for await (const chunk of response.body ?? []) {
    if (bytes === 0) first = performance.now() - begun
    bytes += chunk.byteLength
  }
  return { status: response.status, first, whole: performance.now() - begun, bytes }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Returns the resident megabytes of a server, summed over its processes. */
function memoryOf(server: Server): number {
  return Math.round(server.processes().reduce((sum, { resident }) => sum + resident, 0) / 1e6)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await largePages(Number(process.argv[2] ?? MANY))
