/** What size costs: the same requests to a small and a large world, the first page and the ten-thousandth. */
import { benchStore, idOf, MANY, QUICK_MANY, TYPE } from './data.ts'
import { type Effort, load, ratio, rounds, SERVER_CORE, spreadOf } from './measure.ts'
import { ENTITIES, type Line, requestText } from './per-request.ts'
import { type Server, startFixed } from './servers.ts'

const PAGES_IN = 10_000
const PAGE_SIZE = 50

const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`
const ENTITY = `${LIST}/${idOf(4_321)}`

/** Get, page and 304, large against small; then deep against first page, in the large one. Without a cache, so that the store is measured. */
export async function growth(effort: Effort, quick: boolean): Promise<Line[]> {
  const small = await startOn(ENTITIES)
  const large = await startOn(quick ? QUICK_MANY : MANY)
  try {
    const etag = (await fetch(`http://127.0.0.1:${large.port}${ENTITY}`)).headers.get('etag') ?? ''
    const cases = [
      ['entity, 1.2 M against 10,000', ENTITY, {}, '200'],
      ['page, 1.2 M against 10,000', LIST, {}, '200'],
      ['304, 1.2 M against 10,000', ENTITY, { 'If-None-Match': etag }, '304'],
    ] as const
    const lines: Line[] = []
    for (const [question, path, headers, status] of cases) {
      const plan = planOf(path, headers)
      const samples = await rounds([small, large], () => plan, status, effort)
      lines.push({ question, bar: '≤ 1.25', ...costs(samples, large, small, 1.25) })
    }
    lines.push(await deepPage(large, effort, quick))
    return lines
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}

async function deepPage(server: Server, effort: Effort, quick: boolean): Promise<Line> {
  const path = `${LIST}?limit=${PAGE_SIZE}&cursor=${await cursorAfter(server, (quick ? 100 : PAGES_IN) - 1)}`
  // The same server twice: the two requests take turns as two servers would.
  const deep = { ...server, name: 'ten-thousandth page' }
  const values: number[] = []
  for (let round = 0; round <= effort.rounds; round += 1) {
    const first = await cpuFor(server, `${LIST}?limit=${PAGE_SIZE}`, effort.seconds)
    const later = await cpuFor(deep, path, effort.seconds)
    if (round > 0) values.push(later / first)
  }
  const value = spreadOf(values)
  return { question: 'ten-thousandth page against the first', bar: '≤ 1.10', value, met: value.median <= 1.1 }
}

async function cpuFor(server: Server, path: string, seconds: number): Promise<number> {
  const before = server.cpuSeconds()
  const { answered } = await load({ ...planOf(path, {}), port: server.port, seconds })
  return (server.cpuSeconds() - before) / answered
}

/** The cursor at the end of the n-th page, by walking there in larger steps. */
async function cursorAfter(server: Server, pages: number): Promise<string> {
  let cursor = ''
  for (let left = pages * PAGE_SIZE; left > 0; ) {
    const limit = Math.min(200, left)
    const from = cursor === '' ? '' : `&cursor=${cursor}`
    const response = await fetch(`http://127.0.0.1:${server.port}${LIST}?limit=${limit}${from}`)
    cursor = ((await response.json()) as { nextCursor: string }).nextCursor
    left -= limit
  }
  return cursor
}

async function startOn(count: number): Promise<Server> {
  const settings = JSON.stringify({ store: await benchStore(count), cacheBytes: 0 })
  return startFixed(`${count} entities`, 'world-server.ts', settings, SERVER_CORE)
}

function planOf(path: string, headers: Readonly<Record<string, string>>) {
  return { requests: [requestText(path, headers)], perSecond: 1_500, connections: 16 }
}

function costs(
  samples: Parameters<typeof ratio>[0],
  server: Server,
  other: Server,
  bar: number,
): Pick<Line, 'value' | 'met'> {
  const value = ratio(samples, other, server)
  return { value, met: value.median <= bar }
}
