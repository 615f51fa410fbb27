/**
 * Compares the hits of an OpenSearch cluster with those of the index in the store: `node --conditions=@worldwright/source
 * bench/opensearch.ts [FILE]`, by default `../shared/data/entities/medium.ndjson.gz`. `--quick` uses 10,000 of its entities
 * and 100 questions instead of 500. The cluster is one node, installed by Maven; a store in memory has the same entities.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { Found, Query, Store } from '../packages/core/src/store/contract.ts'
import { createMemoryStore } from '../packages/core/src/store/memory.ts'
import { positionNow } from '../packages/core/src/store/positions.ts'
import { withOpenSearch } from '../packages/opensearch/src/index.ts'
import { missingForOpenSearch, startOpenSearch } from '../packages/opensearch/src/opensearch.fixture.ts'
import { memorySearch } from '../packages/search/src/entities/memory-search.ts'
import { dice } from '../packages/search/src/reference/random.fixture.ts'

const LIKE_BAR = 0.995
const COUNTS_BAR = 0.98
const LIMIT = 10
/** Java heap of the node, in MB. With 384 MB, the node refuses much of its input. */
const MEGABYTES = 1_024
const quick = process.argv.includes('--quick')
const [file = new URL('../../shared/data/entities/medium.ndjson.gz', import.meta.url).pathname] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))

/** Stores the entities of the file and returns their titles. */
async function stored(store: Store): Promise<string[]> {
  const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) })
  const staged = await store.bulk()
  const titles: string[] = []
  let batch: Parameters<typeof staged.add>[0][number][] = []
  let count = 0
  for await (const line of lines) {
    const { type, id, name, title = name, summary, ...attributes } = JSON.parse(line)
    batch.push({
      type,
      id: String(id).normalize('NFC'),
      ...(title && { title }),
      ...(summary && { summary }),
      attributes,
    })
    if (typeof title === 'string') titles.push(title)
    count += 1
    if (batch.length === 1_000) {
      await staged.add(batch)
      batch = []
    }
    if (quick && count === 10_000) break
  }
  await staged.add(batch)
  await staged.commit()
  return titles
}

/** Returns questions of each kind, which depend only on the titles. */
function questionsFrom(titles: readonly string[]): Map<string, string[]> {
  const roll = dice(7)
  const one = () => titles[roll(titles.length)] as string
  const words = (title: string) => title.split(/[\s,;:()]+/).filter((word) => word.length > 2)
  const word = () => {
    for (;;) {
      const found = words(one())
      if (found.length > 0) return found[roll(found.length)] as string
    }
  }
  const spoilt = () => {
    for (;;) {
      const whole = word()
      if (!/^\p{L}{5,}$/u.test(whole)) continue
      const at = 1 + roll(whole.length - 2)
      return whole.slice(0, at) + whole[at + 1] + whole[at] + whole.slice(at + 2)
    }
  }
  const CJK = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}/
  const eastern = titles.filter((title) => CJK.test(title))
  const kinds: Record<string, () => string> = {
    'a word': word,
    'two words': () => `${word()} ${word()}`,
    'a title': one,
    'a typing error': spoilt,
    'an error beside a word': () => `${word()} ${spoilt()}`,
    'a beginning': () => word().slice(0, 4),
    'a word and a beginning': () => `${word()} ${word().slice(0, 3)}`,
    ...(eastern.length > 0 && {
      CJK: () => CJK.exec(eastern[roll(eastern.length)] as string)?.[0].slice(0, 4) ?? '',
    }),
  }
  const each = Math.ceil((quick ? 100 : 500) / Object.keys(kinds).length)
  return new Map(Object.entries(kinds).map(([kind, make]) => [kind, Array.from({ length: each }, make)]))
}

/** Returns the share of one answer's first hits that are also among those of the other. */
function likeness(here: Found, there: Found): number {
  const keys = new Set(here.hits.map(({ type, id }) => `${type} ${id}`))
  const both = there.hits.filter(({ type, id }) => keys.has(`${type} ${id}`)).length
  const most = Math.max(here.hits.length, there.hits.length)
  return most === 0 ? 1 : both / most
}

/** Reports whether two totals agree. A lower bound agrees with every total that is at least as large. */
function sameCounts(here: Found, there: Found): boolean {
  return here.totalIsLowerBound ? there.total >= here.total : there.total === here.total
}

/** Runs a query. Retries until the index is built and, while a cluster is being loaded, until it is reachable. */
async function answered(store: Store, query: Query, isFeeding = false): Promise<Found> {
  for (;;)
    try {
      return await store.find(query)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : ''
      if (code !== 'index_rebuilding' && code !== 'busy' && !(isFeeding && code === 'search_unreachable'))
        throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

async function measured(): Promise<boolean> {
  const plain = createMemoryStore({ search: memorySearch })
  const titles = await stored(plain)
  const cluster = await startOpenSearch(1, MEGABYTES)
  const report = (message: string) => process.stderr.write(`${message}\n`)
  const store = withOpenSearch(plain, { url: `opensearch://${cluster.hosts[0]}/bench?replicas=0`, report })
  try {
    const begun = performance.now()
    const position = await positionNow(plain)
    await answered(store, { text: 'x', limit: 0, budgetMs: 20_000, position }, true)
    const seconds = (performance.now() - begun) / 1_000
    process.stdout.write(`${titles.length} titles, fed in ${seconds.toFixed(1)} s\n`)
    process.stdout.write(
      '| questions | first ten alike | same order | same counts | ms here, there |\n|---|---|---|---|---|\n',
    )
    const all: { like: number; counts: number }[] = []
    for (const [kind, texts] of questionsFrom(titles)) {
      const rows: { like: number; counts: number; order: number; here: number; there: number }[] = []
      for (const text of texts) {
        const query = { text, limit: LIMIT, budgetMs: 20_000 }
        const start = performance.now()
        const here = await plain.find(query)
        const middle = performance.now()
        const there = await answered(store, query)
        const end = performance.now()
        const order = ({ hits }: Found) => hits.map(({ type, id }) => `${type} ${id}`).join()
        rows.push({
          like: likeness(here, there),
          counts: Number(sameCounts(here, there)),
          order: Number(order(here) === order(there)),
          here: middle - start,
          there: end - middle,
        })
      }
      all.push(...rows)
      const of = (name: 'like' | 'order' | 'counts') => mean(rows.map((row) => row[name])).toFixed(3)
      const ms = `${mean(rows.map(({ here }) => here)).toFixed(1)}, ${mean(rows.map(({ there }) => there)).toFixed(0)}`
      process.stdout.write(
        `| ${texts.length} × ${kind} | ${of('like')} | ${of('order')} | ${of('counts')} | ${ms} |\n`,
      )
    }
    const like = mean(all.map(({ like }) => like))
    const counts = mean(all.map(({ counts }) => counts))
    process.stdout.write(
      `| all ${all.length} | ${like.toFixed(4)} (bar ${LIKE_BAR}) | | ${counts.toFixed(4)} (bar ${COUNTS_BAR}) | |\n`,
    )
    return like >= LIKE_BAR && counts >= COUNTS_BAR
  } finally {
    await store.close()
    await cluster.end()
  }
}

const missing = missingForOpenSearch()
if (missing) process.stdout.write(`${missing}\n`)
else if (!(await measured())) process.exitCode = 1
