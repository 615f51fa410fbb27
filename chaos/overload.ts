/**
 * Five times what a world can answer, in an open loop, from one address; beside it others ask for little. What can be
 * answered goes on being answered, everything else is refused at once, and nobody else notices.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/server/stores'
import { type Effort, type Fault, type Finding, finding } from './fault.ts'
import { type Answer, type Ask, Clients, quantile } from './open-loop.ts'
import { memoryOf } from './processes.ts'
import { type ServedWorld, serveWorld, TYPE, writeToken } from './served-world.ts'

/** What is asked for too often. */
interface Flood {
  /** The next request; `token` may write. */
  ask(token: string): Ask
  readonly connections: number
  /** How many of them are used to learn what can be answered. */
  readonly width: number
}

const TIMES = 5
const FLOODER = '127.0.0.9'
const NEIGHBOUR = '127.0.0.2'
const DISCOVER = `/api/world/v0/actions/${encodeURIComponent('wp:discover')}`
const LIST = `/api/world/v0/entities/${encodeURIComponent(TYPE)}`
const WORDS = Array.from({ length: 2_000 }, (_, index) => `w${((index + 7) * 7_919).toString(36)}x`)

let count = 0

function words(many: number): string {
  return Array.from({ length: many }, () => WORDS[(count++ * 37) % WORDS.length]).join(' ')
}

function search(text: string): Ask {
  return {
    path: DISCOVER,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { text, limit: 5 } }),
  }
}

/** Searches with a text of 500 characters, over 32 connections. */
export const overloadQuestions = fault({
  ask: () => search(words(120).slice(0, 500)),
  connections: 32,
  width: 4,
})

/** Searches with three words, beside reads of an entity. */
export const overloadSearches = fault({
  ask: () => (count++ % 4 === 0 ? { path: `${LIST}/t${count % 1_000}` } : search(words(3))),
  connections: 256,
  width: 16,
})

/** Pages of lists, none of them the same as another. */
export const overloadLists = fault({
  ask: () => ({ path: `${LIST}?limit=${50 + (count++ % 150)}`, headers: { 'cache-control': `n${count}` } }),
  connections: 500,
  width: 64,
})

const LARGE = 'x'.repeat(250 * 1024)

/** Writes of entities of 256 KiB, over 128 connections. */
export const overloadWrites = fault({
  ask: (token) => ({
    path: `/api/operator/v0/entities/${encodeURIComponent(TYPE)}/large${count % 50}`,
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ attributes: { number: count++, text: LARGE } }),
  }),
  connections: 128,
  width: 8,
})

function fault(flood: Flood): Fault {
  return async (effort) => {
    const folder = mkdtempSync(join(tmpdir(), 'world-overload-'))
    try {
      return await run(join(folder, 'world.db'), flood, effort)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function run(store: string, flood: Flood, { short }: Effort): Promise<Finding> {
  const token = await writeToken(store)
  await fill(store, short ? 5_000 : 100_000)
  const world = await serveWorld(store)
  const flooder = new Clients(world.port, FLOODER, flood.connections)
  const ask = () => flood.ask(token)
  try {
    while (!world.said().includes('Workers ready')) await pause(20)
    const ms = short ? 2_000 : 10_000
    await flooder.closedLoop(ask, flood.width, ms / 2)
    const capacity = good(await flooder.closedLoop(ask, flood.width, ms)).length / (ms / 1_000)
    const before = { pids: world.pids('worker').join(), memory: memoryOf(world) }
    const neighbour = watchAsNeighbour(world)
    const flooded = short ? 4_000 : 60_000
    let peak = 0
    const measuring = setInterval(() => (peak = Math.max(peak, memoryOf(world))), 250)
    const answers = await flooder.openLoop(ask, TIMES * capacity, flooded)
    clearInterval(measuring)
    const seen = await neighbour.stop()
    await pause(1_000)
    const after = await new Clients(world.port, NEIGHBOUR, 0).ask(search(words(1)))
    const goodput = good(answers).length / (flooded / 1_000) / capacity
    const refusals = answers.filter(({ status }) => status === 503).map((answer) => answer.ms)
    const growth = (peak - before.memory) / 1024 / 1024
    const figures = {
      'goodput %': 100 * goodput,
      'refused, p99 ms': quantile(refusals, 0.99),
      'one word, max ms': quantile(seen.searches.map(took), 1),
      'discovery, max ms': quantile(seen.discoveries.map(took), 1),
      'page, max ms': quantile(seen.pages.map(took), 1),
      'memory +MB': growth,
    }
    const text = Object.entries(figures).map(([name, figure]) => `${name} ${figure.toFixed(0)}`)
    const unanswered = (list: readonly Answer[]) => list.length - good(list).length
    return finding(`capacity ${capacity.toFixed(0)}/s, ${answers.length} asked; ${text.join('; ')}`, {
      'workers ended': before.pids === world.pids('worker').join() ? 0 : 1,
      'without any answer': answers.filter(({ status }) => status === 0).length,
      'wrong answers': answers.filter(({ status }) => status !== 0 && status !== 503 && status >= 400).length,
      'searches of another client refused': unanswered(seen.searches),
      'discoveries refused': unanswered(seen.discoveries),
      'not well a second later': after.status === 200 ? 0 : 1,
      // In short, other work may share the machine.
      'figures beyond their limit': short
        ? 0
        : [
            goodput < 0.85,
            figures['refused, p99 ms'] > 50,
            figures['one word, max ms'] > 250,
            figures['discovery, max ms'] > 50,
            figures['page, max ms'] > 1_000,
            growth > 100,
          ].filter(Boolean).length,
    })
  } finally {
    flooder.close()
    await world.stop()
  }
}

/** Asks for little, each time on a new connection, five times a second. */
function watchAsNeighbour(world: ServedWorld) {
  const clients = new Clients(world.port, NEIGHBOUR, 0)
  const searches: Answer[] = []
  const discoveries: Answer[] = []
  const pages: Answer[] = []
  let going = true
  const watching = (async () => {
    while (going) {
      searches.push(await clients.ask(search(words(1))))
      discoveries.push(await clients.ask({ path: '/.well-known/world.json' }))
      pages.push(await clients.ask({ path: `${LIST}?limit=1` }))
      await pause(200)
    }
  })()
  return {
    async stop() {
      going = false
      await watching
      return { searches, discoveries, pages }
    },
  }
}

async function fill(store: string, entities: number): Promise<void> {
  const storage = await openStore(`sqlite:${store}`, { role: 'owner' })
  const all = await storage.import()
  for (let first = 0; first < entities; first += 1_000)
    await all.add(
      Array.from({ length: Math.min(1_000, entities - first) }, (_, index) => ({
        type: TYPE,
        id: `t${first + index}`,
        title: words(3),
        attributes: { text: words(20) },
      })),
    )
  await all.commit()
  await storage.close()
}

function good(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status >= 200 && status < 300)
}

function took({ ms }: Answer): number {
  return ms
}
