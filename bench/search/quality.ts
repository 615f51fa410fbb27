/** How well the engine finds: nDCG@10 on sets of questions that others have judged. */
import { readFileSync } from 'node:fs'
import { createMemorySegments } from '../../packages/server/src/search/memory-segments.ts'
import { IndexReader } from '../../packages/server/src/search/read/index-reader.ts'
import { SegmentBuilder } from '../../packages/server/src/search/write/segment-builder.ts'

/** What a set gave: the mean, and that of its misspelt questions against the same ones unspoilt. */
export interface Quality {
  readonly set: string
  readonly ndcg: number
  readonly misspelt: number | undefined
  readonly ratio: number | undefined
  /** Milliseconds for a question, on average. */
  readonly each: number
}

/** How many hits count. */
const DEPTH = 10

/** Measures one set of `data/search`. */
export function qualityOf(data: URL, set: string): Quality {
  const folder = new URL(`search/${set}/`, data)
  const reader = indexOf(new URL('corpus.ndjson', folder))
  const judged = judgementsOf(new URL('qrels.tsv', folder))
  const began = performance.now()
  const plain = scoresOf(reader, linesOf(new URL('queries.tsv', folder)), judged)
  const each = (performance.now() - began) / plain.size
  const spoilt = scoresOf(reader, linesOf(new URL('queries_typo.tsv', folder)), judged)
  if (spoilt.size === 0) return { set, ndcg: mean(plain), misspelt: undefined, ratio: undefined, each }
  const own = new Map([...spoilt.keys()].map((id) => [id, plain.get(id) ?? 0]))
  return { set, ndcg: mean(plain), misspelt: mean(spoilt), ratio: mean(spoilt) / mean(own), each }
}

function indexOf(corpus: URL): IndexReader {
  const store = createMemorySegments()
  const builder = new SegmentBuilder()
  for (const line of linesOf(corpus)) {
    const { id, title = '', text = '' } = JSON.parse(line)
    builder.add({ type: 'set:document', id, title, aliases: [], summary: '', text })
  }
  const { segment, head } = builder.write(store)
  store.publish(segment, head, [])
  return new IndexReader(store)
}

type Judgements = ReadonlyMap<string, ReadonlyMap<string, number>>

function judgementsOf(file: URL): Judgements {
  const judged = new Map<string, Map<string, number>>()
  for (const line of linesOf(file)) {
    const [question = '', document = '', grade] = line.split('\t')
    const grades = judged.get(question) ?? new Map()
    judged.set(question, grades.set(document, Number(grade)))
  }
  return judged
}

function scoresOf(
  reader: IndexReader,
  questions: readonly string[],
  judged: Judgements,
): Map<string, number> {
  const scores = new Map<string, number>()
  for (const line of questions) {
    const [id = '', text = ''] = line.split('\t')
    const grades = judged.get(id)
    if (!grades) continue
    const { hits } = reader.search({ text, limit: DEPTH, budgetMs: 60_000 })
    const found = gainOf(hits.map(({ key }) => grades.get(key.id) ?? 0))
    scores.set(id, found / gainOf([...grades.values()].sort((left, right) => right - left).slice(0, DEPTH)))
  }
  return scores
}

function gainOf(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}

function mean(scores: ReadonlyMap<string, number>): number {
  return [...scores.values()].reduce((sum, score) => sum + score, 0) / scores.size
}

function linesOf(file: URL): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
