/**
 * Sends the 32 most expensive queries for groups, one after the other, while another client searches for a word. Each must be
 * answered within its time budget, and the memory of the search process must stay within a bound.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { JsonObject } from '@worldwright/client/protocol'
import { openStore } from '@worldwright/engines'
import { search } from './asks.ts'
import { type Answer, Clients } from './clients.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { memoryOf } from './processes.ts'
import { quantile } from './quantile.ts'
import { type ServedWorld, serveWorld, waitedFor } from './served-world.ts'
import { DEFINITION, WORST, worstEntity } from './worst-questions.ts'

const ENTITIES = 1_200_000
const SHORT_ENTITIES = 40_000
/** Maximum time of an answer, in milliseconds: the budget of a query, and a margin for transport, queueing and JSON. */
const ANSWER_MS = 250 + 100
/** Maximum time of another client's search, in milliseconds. */
const SEARCH_MS = 250
/** Time between an answer and the next search, in milliseconds. */
const SEARCH_EVERY_MS = 40
/** Maximum growth of the search process, in bytes. */
const GROWTH = 300e6
/** Number of times that each query is sent. */
const ROUNDS = 3

/** Outcome of one query. */
interface Asked {
  readonly ms: number
  readonly status: number
  readonly partial: boolean
}

/** Runs the fault over 1.2 million entities. A short run has 40,000, and judges neither times nor memory. */
export async function worstGroups({ short }: Effort): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'world-worst-'))
  const store = join(folder, 'world.db')
  writeFileSync(join(folder, 'world.yaml'), JSON.stringify(DEFINITION))
  await fill(store, short ? SHORT_ENTITIES : ENTITIES)
  const world = await serveWorld(store)
  try {
    await waitedFor(() => world.said().includes('Workers ready'), 60_000)
    const neighbour = new Clients(world.port, '127.0.0.3', 1)
    for (let warm = 0; warm < 20; warm++) await neighbour.ask(search('storm'))
    const memory = watchMemory(world)
    const alone = await searches(neighbour, () =>
      Promise.resolve(new Promise((wake) => setTimeout(wake, 3_000))),
    )
    const asked: Asked[][] = WORST.map(() => [])
    const beside = await searches(neighbour, async () => {
      for (let round = 0; round < ROUNDS; round++)
        for (const [at, input] of WORST.entries()) asked[at]?.push(await ask(world, input))
    })
    neighbour.close()
    const grown = memory.stop()
    const all = asked.flat()
    const slow = asked.map((some) =>
      quantile(
        some.map(({ ms }) => ms),
        0.5,
      ),
    )
    const tooSlow = slow.flatMap((median, at) =>
      median > ANSWER_MS ? `${at + 1}: ${median.toFixed(0)}` : [],
    )
    const ms = (answers: readonly { readonly ms: number }[], part: number) =>
      quantile(
        answers.map((one) => one.ms),
        part,
      ).toFixed(0)
    const figure = [
      `${WORST.length} questions over ${short ? SHORT_ENTITIES : ENTITIES} entities, ${all.filter(({ partial }) => partial).length} of ${all.length} answers partial`,
      `median ${ms(all, 0.5)} ms, most ${ms(all, 1)} ms${tooSlow.length > 0 ? ` (medians by question: ${tooSlow.join(', ')})` : ''}`,
      `a search beside them: median ${ms(beside, 0.5)} ms, most ${ms(beside, 1)} ms, alone ${ms(alone, 0.5)} and ${ms(alone, 1)}`,
      `search process + ${(grown / 1e6).toFixed(0)} MB`,
    ].join('; ')
    const isJudged = short ? 0 : 1
    return finding(figure, {
      'questions refused': all.filter(({ status }) => status !== 200).length,
      'searches refused': beside.filter(({ status }) => status !== 200).length,
      [`questions over ${ANSWER_MS} ms`]: isJudged * tooSlow.length,
      [`searches over ${SEARCH_MS} ms`]: isJudged * beside.filter(({ ms }) => ms > SEARCH_MS).length,
      [`times the search process grew by more than ${GROWTH / 1e6} MB`]: isJudged * Number(grown > GROWTH),
    })
  } finally {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(path: string, size: number): Promise<void> {
  const store = await openStore(`sqlite:${path}`, { role: 'writer' })
  const staged = await store.bulk()
  for (let from = 0; from < size; from += 1_000)
    await staged.add(
      Array.from({ length: Math.min(1_000, size - from) }, (_, at) => worstEntity(from + at, size)),
    )
  await staged.commit()
  await store.close()
}

async function ask(world: ServedWorld, input: JsonObject): Promise<Asked> {
  const began = performance.now()
  const response = await fetch(`${world.url}/api/world/v0/actions/worldwright%3Aquery`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { ...input, limit: 0 } }),
  })
  const text = await response.text()
  return { ms: performance.now() - began, status: response.status, partial: text.includes('"partial":true') }
}

/** Searches while `work` runs, each time `SEARCH_EVERY_MS` after the previous answer. */
async function searches(clients: Clients, work: () => Promise<unknown>): Promise<Answer[]> {
  const answers: Answer[] = []
  let isOver = false
  const working = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    answers.push(await clients.ask(search('storm')))
    await pause(SEARCH_EVERY_MS)
  }
  await working
  return answers
}

/** Samples the memory of the search process. `stop` returns its greatest growth. */
function watchMemory(world: ServedWorld): { stop(): number } {
  const pids = world.pids('searcher')
  const idle = memoryOf(pids)
  let most = idle
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(pids))
  }, 20)
  return {
    stop() {
      clearInterval(timer)
      return most - idle
    },
  }
}
