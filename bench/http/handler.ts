/** Cost of the handler without sockets, and cost of deep pages. */
import { createWorld, type WorldHandler } from '@worldwright/core'
import { openStore } from '@worldwright/engines'
import { nodeCodings } from '@worldwright/node'
import { emptyDefinition } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { benchStore, ENTITIES, idOf, LIST, MANY, QUICK_MANY } from './data.ts'
import { type Effort, spreadOf } from './measure.ts'
import type { Line } from './table.ts'

const PAGES_IN = 10_000
const PAGE_SIZE = 50
const ORIGIN = 'http://127.0.0.1:8080'

const ENTITY = `${LIST}/${idOf(4_321)}`
const CASES = [
  ['entity from the cache', ENTITY, undefined],
  ['page of 50 from the cache', LIST, undefined],
  ['discovery', '/.well-known/world.json', undefined],
  ['entity from the store', ENTITY, 0],
  ['page of 50 from the store', LIST, 0],
] as const

/** Measures the processor time per handler call, in microseconds, and then compares page 10,000 with page 1. */
export async function handlerAlone(effort: Effort, quick: boolean): Promise<Line[]> {
  const lines: Line[] = []
  for (const [name, target, cacheBytes] of CASES) {
    await using world = await worldOf(ENTITIES, cacheBytes)
    const values: number[] = []
    for (let round = 0; round <= effort.rounds; round += 1) {
      const micros = await microsOf(world.handler, target, effort.seconds)
      if (round > 0) values.push(micros)
    }
    lines.push({ question: `handler alone, no sockets: ${name}, µs`, bar: '', value: spreadOf(values) })
  }
  lines.push(await deepPage(effort, quick))
  return lines
}

async function deepPage({ rounds, seconds }: Effort, quick: boolean): Promise<Line> {
  await using world = await worldOf(quick ? QUICK_MANY : MANY, 0)
  const first = `${LIST}?limit=${PAGE_SIZE}`
  const deep = `${first}&cursor=${await cursorAfter(world.handler, (quick ? 100 : PAGES_IN) - 1)}`
  const values: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const before = await microsOf(world.handler, first, seconds)
    const later = await microsOf(world.handler, deep, seconds)
    if (round > 0) values.push(later / before)
  }
  const value = spreadOf(values)
  const question = 'handler alone, no sockets: ten-thousandth page against the first'
  return { question, bar: '≤ 1.10', value, met: value.median <= 1.1 }
}

async function worldOf(count: number, cacheBytes: number | undefined) {
  const store = await openStore(`sqlite:${await benchStore(count)}`, { role: 'reader' })
  const handler = createWorld({
    id: 'urn:example:bench',
    name: 'Bench',
    types: () => effectiveTypes(emptyDefinition(), store),
    store,
    codings: nodeCodings,
    ...(cacheBytes !== undefined && { cacheBytes }),
  })
  return { handler, [Symbol.asyncDispose]: async () => store.close() }
}

async function microsOf(handler: WorldHandler, target: string, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000
  const before = process.cpuUsage()
  let calls = 0
  for (; performance.now() < end; calls += 1) await asked(handler, target)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** Returns the response to a GET request. @throws Error if its status is not 200 */
async function asked(handler: WorldHandler, target: string) {
  const headers = { host: '127.0.0.1:8080', accept: 'application/json' }
  const response = await handler.handle({ method: 'GET', target, headers, origin: ORIGIN })
  if (response.status !== 200) throw new Error(`${target} was answered with ${response.status}`)
  return response
}

/** Returns the cursor at the end of the n-th page. Reaches that page in larger steps. */
async function cursorAfter(handler: WorldHandler, pages: number): Promise<string> {
  let cursor = ''
  for (let left = pages * PAGE_SIZE; left > 0; ) {
    const limit = Math.min(200, left)
    const { body } = await asked(handler, `${LIST}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    cursor = (JSON.parse(String(Buffer.from(body as Uint8Array))) as { nextCursor: string }).nextCursor
    left -= limit
  }
  return cursor
}
