/** Interface of an engine that answers questions over documents: this project's engine, or a peer. */
import { createMemorySegments } from '../../packages/search/src/memory-segments.ts'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { SegmentBuilder } from '../../packages/search/src/write/segment-builder.ts'

/** Maximum number of hits per question. */
export const DEPTH = 10

/** Hits and latency of one question. */
export interface Answer {
  /** Indexes into the documents, best hit first, at most `DEPTH` of them. */
  readonly found: readonly number[]
  /** Elapsed time of the question, in milliseconds. */
  readonly ms: number
}

/** Indexes the documents and answers the questions in order. */
export type Engine = (
  documents: readonly SearchDocument[],
  questions: readonly string[],
) => Answer[] | Promise<Answer[]>

/** Runs this project's engine in memory. */
export function ours(documents: readonly SearchDocument[], questions: readonly string[]): Answer[] {
  const store = createMemorySegments()
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  const { segment, head } = builder.write(store)
  store.publish(segment, head, [])
  const reader = new IndexReader(store)
  const numbers = new Map(documents.map(({ type, id }, at) => [`${type} ${id}`, at]))
  return timed(questions, (text) => {
    const { hits } = reader.search({ text, limit: DEPTH, budgetMs: 60_000 })
    return hits.map(({ key }) => numbers.get(`${key.type} ${key.id}`) as number)
  })
}

/** Answers questions one after another and times each of them. */
export function timed(questions: readonly string[], ask: (text: string) => number[]): Answer[] {
  return questions.map((text) => {
    const began = performance.now()
    const found = ask(text)
    return { found, ms: performance.now() - began }
  })
}
