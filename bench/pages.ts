/**
 * Processor time of pages without scripts: an entity's page against its JSON, a list's page against the list with as
 * many entities, and a rendered picture. Nothing is cached. Everything runs in turns in one process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWorld } from '@worldwright/core'
import { openStore } from '@worldwright/engines'
import { pages } from '@worldwright/extensions/pages'

const ENTITIES = 10_000
const ROUNDS = 10
const REQUESTS = Number(process.argv[2] ?? 1_000)

const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'))
const store = await openStore(`sqlite:${join(folder, 'bench.db')}`, { role: 'writer' })
await store.write(
  Array.from({ length: ENTITIES }, (_, at) => ({
    put: {
      type: 'bench:book',
      id: `b${at}`,
      title: `The book with the number ${at}`,
      summary: 'A summary of some words, as catalogues have them, for the first line that people read.',
      attributes: {
        isbn: String(9_780_000_000_000 + at),
        year: 1900 + (at % 120),
        authors: ['One Author', 'Another Author'],
        series: { type: 'bench:book', id: `b${Math.floor(at / 10)}` },
        place: { latitude: (at % 180) - 90, longitude: (at % 360) - 180 },
      },
    },
  })),
)
const description = { id: 'urn:example:bench', types: [{ type: 'bench:book' }] }
const publicUrl = 'https://bench.example'
const { handle } = createWorld({
  ...description,
  store,
  publicUrl,
  extensions: [pages()],
  cacheBytes: 0,
})

const TARGETS = {
  entity: (at: number) => `/api/world/v0/entities/bench%3Abook/b${at}`,
  page: (at: number) => `/t/bench%3Abook/b${at}`,
  list: () => '/api/world/v0/entities/bench%3Abook?limit=50',
  listPage: () => '/t/bench%3Abook',
  card: (at: number) => `/t/bench%3Abook/b${at}/card.png`,
}

/** Measures the processor time per answer, in microseconds. */
async function cost(name: keyof typeof TARGETS, requests: number): Promise<number> {
  const before = process.cpuUsage()
  for (let at = 0; at < requests; at += 1) {
    const target = TARGETS[name]((at * 7_919) % ENTITIES)
    const { status } = await handle({ method: 'GET', target, headers: {} })
    if (status !== 200) throw new Error(`${target} is answered with ${status}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

const costs = new Map<string, number[]>()
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const name of Object.keys(TARGETS) as (keyof typeof TARGETS)[]) {
    const one = await cost(name, name === 'card' ? REQUESTS / 10 : REQUESTS)
    // The first round is a warm-up for the compiler.
    if (round > 0) costs.set(name, [...(costs.get(name) ?? []), one])
  }
}
const median = (name: string) => costs.get(name)?.toSorted((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN
for (const [name, other] of [
  ['page', 'entity'],
  ['listPage', 'list'],
  ['card', 'entity'],
] as const) {
  const [one, base] = [median(name), median(other)]
  process.stdout.write(
    `${name} / ${other}: ${(one / base).toFixed(2)} (${one.toFixed(0)} µs, ${base.toFixed(0)} µs)\n`,
  )
}
await store.close()
rmSync(folder, { recursive: true })
