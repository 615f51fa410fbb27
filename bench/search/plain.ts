/** Plain questions with graded answers, of `plain-questions`: are they answered, and is what counts as found relevant? */
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import type { Entity } from '@worldwright/client/protocol'
import { definitionFromText } from '../../packages/publish/src/definition/definition.ts'
import { searchRules } from '../../packages/publish/src/definition/type-words.ts'
import { readRecords } from '../../packages/publish/src/input/read-records.ts'
import { documentFromJson, searchDocumentOf } from '../../packages/search/src/entities/search-document.ts'
import { createMemorySegments } from '../../packages/search/src/memory-segments.ts'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { Synonyms } from '../../packages/search/src/text/synonyms.ts'
import { IndexWriter } from '../../packages/search/src/write/index-writer.ts'
import { entityOf } from './corpus.ts'
import type { Engine } from './engine.ts'

/** Names of the sets. The entities of the demo world are those of `sol`. */
export type PlainSet = (typeof PLAIN_SETS)[number]

/** Names of all sets of plain questions. */
export const PLAIN_SETS = ['sol', 'exoplanets', 'books'] as const

/** A question, with the grades of the entities that answer it by `type/id`: 1 for relevant, 2 and 3 for an answer. */
interface PlainQuestion {
  readonly question: string
  readonly kind: string
  readonly answers: Readonly<Record<string, number>>
}

/** Scores of a set of questions. */
export interface PlainScores {
  /** Number of questions that something answers. */
  readonly questions: number
  /** Share of these whose first hit answers them. */
  readonly first: number
  /** Share of these that a hit among the first three answers. */
  readonly three: number
  /** Share of relevant entities among all that count as found for these questions. */
  readonly relevant: number
  /** The same share for each of these questions, as their mean. */
  readonly relevantMean: number
  /** Median share of the world that counts as found for these questions. */
  readonly found: number
  /** The same for questions about a named thing. */
  readonly foundNamed: number
  /** Median share of the world that counts as found for questions that nothing answers. */
  readonly foundForNothing: number
}

/** Asks the questions of a set: those of one half by hash, `build` or `measure`, or all of them. */
export function plainScores(
  set: PlainSet,
  entities: readonly Entity[],
  half?: 'build' | 'measure',
): PlainScores {
  const segments = createMemorySegments()
  new IndexWriter(segments).build(
    entities.map((entity) => documentFromJson(entity.type, JSON.stringify(entity), {})),
  )
  const reader = new IndexReader(segments)
  const synonyms = new Synonyms(searchRules(definitionOf(set, entities)))
  const asked = questionsOf(set)
    .filter(({ question }) => half === undefined || halfOf(question) === half)
    .map(({ question, kind, answers }) => {
      const { hits, total } = reader.search(
        { text: question, limit: entities.length, budgetMs: 60_000 },
        { synonyms },
      )
      const grades = hits.map(({ key }) => answers[`${key.type}/${key.id}`] ?? 0)
      return { kind, grades: grades.slice(0, total), total, isAnswered: Object.keys(answers).length > 0 }
    })
  const answered = asked.filter(({ isAnswered }) => isAnswered)
  const within = (most: number) =>
    answered.filter(({ grades }) => grades.slice(0, most).some((grade) => grade > 1)).length / answered.length
  const shareOf = (grades: readonly number[]) =>
    grades.filter((grade) => grade > 0).length / (grades.length || 1)
  const shares = (some: typeof asked) => median(some.map(({ total }) => total / entities.length))
  return {
    questions: answered.length,
    first: within(1),
    three: within(3),
    relevant: shareOf(answered.flatMap(({ grades }) => grades)),
    relevantMean: answered.reduce((sum, { grades }) => sum + shareOf(grades), 0) / answered.length,
    found: shares(answered),
    foundNamed: shares(answered.filter(({ kind }) => kind === 'named')),
    foundForNothing: shares(asked.filter(({ isAnswered }) => !isAnswered)),
  }
}

/** Returns the shares of a set's questions that the first hit, and one of the first three, of an engine answer. */
export async function plainAnswered(
  set: PlainSet,
  entities: readonly Entity[],
  engine: Engine,
): Promise<Pick<PlainScores, 'first' | 'three'>> {
  const questions = questionsOf(set).filter(({ answers }) => Object.keys(answers).length > 0)
  const documents = entities.map((entity) => ({ ...searchDocumentOf(entity), values: [] }))
  const asked = await engine(
    documents,
    questions.map(({ question }) => question),
  )
  const within = (most: number) => {
    const answered = questions.filter(({ answers }, at) =>
      asked[at]?.found.slice(0, most).some((place) => {
        const { type, id } = entities[place] as Entity
        return (answers[`${type}/${id}`] ?? 0) > 1
      }),
    )
    return answered.length / questions.length
  }
  return { first: within(1), three: within(3) }
}

/** Returns the definition of a set: that of the demo world, or else one of the types of the entities. */
function definitionOf(set: PlainSet, entities: readonly Entity[]): Parameters<typeof searchRules>[0] {
  const file = new URL('../../examples/solar-system/world.yaml', import.meta.url)
  if (set === 'sol') return definitionFromText(readFileSync(file, 'utf8'), 'world.yaml')
  return { types: [...new Set(entities.map(({ type }) => type))].map((type) => ({ type })) }
}

/** Reads the entities of the demo world. */
export function solarSystem(): Entity[] {
  const folder = new URL('../../examples/solar-system/data/', import.meta.url)
  return readdirSync(folder)
    .sort()
    .flatMap((file) => linesOf(new URL(file, folder)))
    .map((line) => JSON.parse(line))
}

/** Reads the entities of a set: the demo world, or one of the files in `data/entities`. */
export async function plainEntities(set: PlainSet, data: URL): Promise<Entity[]> {
  if (set === 'sol') return solarSystem()
  if (set === 'exoplanets')
    return linesOf(new URL('entities/exoplanets.ndjson', data)).map((line) => entityOf(JSON.parse(line)))
  const file = new URL('entities/books.csv', data)
  const entities: Entity[] = []
  for await (const next of readRecords({ name: 'books.csv', bytes: createReadStream(file) })) {
    if ('fault' in next) throw new Error(`books.csv, line ${next.line} is faulty`)
    const { title, book_id, ...attributes } = next.record as Record<string, string>
    entities.push(entityOf({ type: 'book', id: book_id, name: title, ...attributes }))
  }
  return entities
}

function questionsOf(set: PlainSet): PlainQuestion[] {
  return linesOf(new URL(`plain-questions/${set}.ndjson`, import.meta.url)).map((line) => JSON.parse(line))
}

function halfOf(question: string): 'build' | 'measure' {
  return (createHash('sha256').update(question).digest()[0] as number) % 2 === 0 ? 'build' : 'measure'
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[numbers.length >> 1] ?? Number.NaN
}

function linesOf(file: URL): string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}
