/** Search quality of an engine: nDCG@10 on published judged sets. */
import { readFileSync } from 'node:fs'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import { type Answer, DEPTH, type Engine, ours } from './engine.ts'

/** Result for one set: the mean nDCG, and the nDCG of misspelt questions relative to the original ones. */
export interface Quality {
  readonly set: string
  readonly ndcg: number
  readonly misspelt: number | undefined
  readonly ratio: number | undefined
  /** Mean time per question, including misspelt ones, in milliseconds. */
  readonly each: number
}

/** Measures one set of `data/search`. `most` limits the number of questions, and thus of misspelt ones. */
export async function qualityOf(
  data: URL,
  set: string,
  engine: Engine = ours,
  most = Number.POSITIVE_INFINITY,
): Promise<Quality> {
  const folder = new URL(`search/${set}/`, data)
  const documents = documentsOf(new URL('corpus.ndjson', folder))
  const judged = judgementsOf(new URL('qrels.tsv', folder))
  const asked = (file: string) => questionsOf(new URL(file, folder)).filter(({ id }) => judged.has(id))
  const plain = asked('queries.tsv').slice(0, most)
  const spoilt = asked('queries_typo.tsv').filter(({ id }) => plain.some((other) => other.id === id))
  const answers = await engine(
    documents,
    [...plain, ...spoilt].map(({ text }) => text),
  )
  const each = answers.reduce((sum, { ms }) => sum + ms, 0) / answers.length
  const gain = ({ id }: Asked, answer: Answer | undefined) => gainAgainst(judged.get(id), documents, answer)
  const scores = new Map(plain.map((question, at) => [question.id, gain(question, answers[at])]))
  const ndcg = mean([...scores.values()])
  if (spoilt.length === 0) return { set, ndcg, misspelt: undefined, ratio: undefined, each }
  const misspelt = mean(spoilt.map((question, at) => gain(question, answers[plain.length + at])))
  return { set, ndcg, misspelt, ratio: misspelt / mean(spoilt.map(({ id }) => scores.get(id) ?? 0)), each }
}

function documentsOf(corpus: URL): SearchDocument[] {
  return linesOf(corpus).map((line) => {
    const { id, title = '', text = '' } = JSON.parse(line)
    return { type: 'set:document', id, title, aliases: [], summary: '', text }
  })
}

type Grades = ReadonlyMap<string, number>

function judgementsOf(file: URL): ReadonlyMap<string, Grades> {
  const judged = new Map<string, Map<string, number>>()
  for (const line of linesOf(file)) {
    const [question = '', document = '', grade] = line.split('\t')
    const grades = judged.get(question) ?? new Map()
    judged.set(question, grades.set(document, Number(grade)))
  }
  return judged
}

interface Asked {
  readonly id: string
  readonly text: string
}

function questionsOf(file: URL): Asked[] {
  return linesOf(file).map((line) => {
    const [id = '', text = ''] = line.split('\t')
    return { id, text }
  })
}

/** Returns the nDCG of an answer: its gain relative to the maximum gain. */
function gainAgainst(
  grades: Grades = new Map(),
  documents: readonly SearchDocument[],
  answer?: Answer,
): number {
  const found = answer?.found.map((at) => grades.get(documents[at]?.id ?? '') ?? 0) ?? []
  const best = [...grades.values()].sort((left, right) => right - left).slice(0, DEPTH)
  return gainOf(found) / gainOf(best)
}

function gainOf(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
}

function mean(scores: readonly number[]): number {
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

function linesOf(file: URL): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n')
  } catch {
    return []
  }
}
