/**
 * A typical mix of requests at half the capacity of one core: 60 % get, 20 % list, 15 % not modified, 5 % discover.
 * `world serve` runs one serving process and one search process.
 */
import { SERVER_CORES } from './cores.ts'
import { benchStore, ENTITIES, idOf, LIST } from './data.ts'
import { type LoadResult, requestText } from './load.ts'
import { type Effort, load, spreadOf } from './measure.ts'
import { type Server, startWorld } from './servers.ts'
import type { Line } from './table.ts'

const REQUESTS = 200
/** Requests per second for measuring the cost of a request, well below capacity. */
const MODERATE = 200
/** Factor by which a turn is longer than in other parts, because a 99th percentile needs more answers. */
const LONGER = 3
/** Maximum depth of a requested list page, in pages of 200. */
const PAGES = 200
const WORDS = ['amber', 'cedar grove', 'orbit', 'quarry ridge', 'willow']

/** Measures the 99th percentile of latency, counted from the planned moment, at half capacity. */
export async function mixedLoad(effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const server = await startWorld('world serve', store, SERVER_CORES, ['--workers', '1'])
  try {
    const requests = await mixOf(server, ENTITIES, REQUESTS)
    const seconds = LONGER * effort.seconds
    const perSecond = (await capacity(server, requests, seconds)) / 2
    const values: number[] = []
    for (let round = 0; round < effort.rounds; round += 1)
      values.push((await answered(server, requests, perSecond, seconds)).p99)
    const value = spreadOf(values)
    const question = `mixed load at half capacity (${Math.round(perSecond)} a second), p99 in ms`
    return [{ question, bar: '≤ 10', value, met: value.median <= 10 }]
  } finally {
    await server.stop()
  }
}

/** Estimates how many answers per second would saturate the core, from their cost at a moderate rate. */
async function capacity(server: Server, requests: readonly string[], seconds: number): Promise<number> {
  // Warm-up, because code that is not yet compiled would lower the estimate.
  await answered(server, requests, MODERATE, seconds)
  const before = server.cpuSeconds()
  const result = await answered(server, requests, MODERATE, seconds)
  return result.answered / (server.cpuSeconds() - before)
}

/** Sends a load of the mix. @throws Error if an answer is missing or an error */
async function answered(
  { port, name }: Server,
  requests: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<LoadResult> {
  const result = await load({ port, requests, perSecond, seconds, connections: 32 })
  const good = (result.statuses['200'] ?? 0) + (result.statuses['304'] ?? 0)
  if (result.lost > 0 || good < result.answered)
    throw new Error(`${name} did not answer everything: ${JSON.stringify(result)}`)
  return result
}

/** Returns `count` requests for a world of `entities` entities, in the proportions of the mix. */
export async function mixOf(server: Server, entities: number, count: number): Promise<string[]> {
  const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
  const tag = async (path: string) => (await ask(path)).headers.get('etag') ?? ''
  const cursors = ['']
  for (let page = 0; page < PAGES; page += 1) {
    const { nextCursor } = (await (await ask(pageAt(cursors.at(-1), 200))).json()) as { nextCursor?: string }
    if (nextCursor === undefined) break
    cursors.push(nextCursor)
  }
  const requests: string[] = []
  for (let index = 0; index < count; index += 1) {
    const number = (index * 7_919) % entities
    const entity = `${LIST}/${idOf(number)}`
    const part = (index * 37) % 100
    if (part < 60) requests.push(requestText(entity, {}))
    else if (part < 80)
      requests.push(requestText(pageAt(cursors[index % cursors.length], 10 + (index % 5) * 10), {}))
    else if (part < 95) requests.push(requestText(entity, { 'If-None-Match': await tag(entity) }))
    else requests.push(discoverText(textOf(index, number)))
  }
  return requests
}

function pageAt(cursor: string | undefined, limit: number): string {
  return `${LIST}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`
}

/** Returns a search text. Every second text identifies a single entity by its number. */
function textOf(index: number, number: number): string {
  const words = WORDS[index % WORDS.length] ?? ''
  return index % 2 === 0 ? words : `${words} ${number}`
}

function discoverText(text: string): string {
  const body = JSON.stringify({ input: { text, limit: 10 } })
  const head = requestText('/api/world/v0/actions/wp%3Adiscover', {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  })
  return head.replace(/^GET/, 'POST') + body
}
