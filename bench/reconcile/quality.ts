/** Precision and recall of automatic matches on a published judged set. */
import { readFileSync } from 'node:fs'
import type { Entity } from '@worldwright/client/protocol'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { memorySearch } from '@worldwright/search/entities'
import { reconcile } from '../../packages/extensions/src/reconcile/reconcile.ts'

/** Figures of one round over all queries. */
export interface Quality {
  /** Index of the tenth of the queries whose entities were removed, or undefined if none were. */
  readonly left: number | undefined
  /** Share of the matches that are correct. */
  readonly precision: number
  /** Correct matches as a share of the queries whose entity is in the world. */
  readonly recall: number
}

type Results = Record<string, { result: { id: string; match: boolean }[] }>

const TYPE = 'set:entity'
const BATCH = 100

/** Runs all queries of a set: first with every entity, then ten times without the entities of a tenth of the queries. */
export async function qualityOf(set: URL): Promise<Quality[]> {
  const entities = linesOf(new URL('corpus.ndjson', set)).map((line): Entity => {
    const { id, title, text } = JSON.parse(line)
    return { type: TYPE, id, title, ...(text && { summary: text }), attributes: {} }
  })
  const right = new Map(
    linesOf(new URL('qrels.tsv', set)).map((line) => line.split('\t') as [string, string]),
  )
  const queries = linesOf(new URL('queries.tsv', set)).map((line) => line.split('\t') as [string, string])
  const rounds: Quality[] = []
  for (const left of [undefined, ...Array.from({ length: 10 }, (_, tenth) => tenth)]) {
    const removed = new Set(queries.filter((_, at) => at % 10 === left).map(([query]) => right.get(query)))
    const present = entities.filter(({ id }) => !removed.has(id))
    const matches = await matchesOf(present, queries)
    const isRight = ([query]: [string, string]) => matches.get(query) === right.get(query)
    const found = queries.filter(isRight).length
    const asked = queries.filter(([query]) => !removed.has(right.get(query))).length
    rounds.push({ left, precision: found / matches.size, recall: found / asked })
  }
  return rounds
}

/** Returns the automatically matched id for each query. */
async function matchesOf(
  entities: readonly Entity[],
  queries: readonly (readonly [string, string])[],
): Promise<Map<string, string>> {
  const store = createMemoryStore({ search: memorySearch })
  const running = await store.bulk()
  await running.add(entities)
  await running.commit()
  const origin = 'http://127.0.0.1'
  const fetch = toFetch(
    createWorld({
      id: 'urn:example:set',
      types: [{ type: TYPE }],
      store,
      publicUrl: origin,
      extensions: [reconcile()],
    }),
  )
  const matches = new Map<string, string>()
  for (let from = 0; from < queries.length; from += BATCH) {
    const batch = queries.slice(from, from + BATCH).map(([id, query]) => [id, { query }])
    const body = new URLSearchParams({ queries: JSON.stringify(Object.fromEntries(batch)) })
    const response = await fetch(new Request(`${origin}/reconcile/${TYPE}`, { method: 'POST', body }))
    const results = (await response.json()) as Results
    for (const [query, { result }] of Object.entries(results))
      for (const { id, match } of result) if (match) matches.set(query, id)
  }
  return matches
}

function linesOf(file: URL): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}
