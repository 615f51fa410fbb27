/** Search quality by kind of question and by language. */
import { readFileSync } from 'node:fs'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import { dice } from '../../packages/search/src/reference/random.fixture.ts'
import { nameParts } from '../../packages/search/src/text/names.ts'
import { readCorpus } from './corpus.ts'
import { type Answer, type Engine, ours } from './engine.ts'
import { INFLECTED } from './inflected.ts'
import { spread } from './latency.ts'
import { type Question, questionsOf } from './questions.ts'

/** Result for one kind of question: shares of all questions, and latencies in milliseconds. */
export interface KindResult {
  readonly kind: string
  readonly questions: number
  /** Share of questions with a correct first hit. */
  readonly first: number
  /** Share of questions with a correct hit among the first five. */
  readonly five: number
  /** Share of questions with a correct hit among the first ten. */
  readonly ten: number
  readonly p50: number
  readonly p99: number
}

/** Languages in which place names are searched. */
const PLACE_LANGUAGES = ['ar', 'de', 'fr', 'hi', 'ja', 'ko', 'pl', 'ru', 'tr', 'uk', 'zh-CN']
const EACH_LANGUAGE = 150

/** Measures kinds of questions about films, books, people, airports, stars and products, at most `most` of each kind. */
export async function kindResults(
  data: URL,
  engine: Engine = ours,
  most = Number.POSITIVE_INFINITY,
): Promise<KindResult[]> {
  const { documents } = await readCorpus(new URL('entities/medium.ndjson.gz', data))
  const names = [...documents.filter(({ type }) => !type.startsWith('tate:art')), ...products(data)]
  const kinds = [...questionsOf(names)].map(([kind, questions]): Kind => [kind, questions.slice(0, most)])
  return resultsOf(names, kinds, engine)
}

/**
 * Measures titles in many languages among the names of 14,000 places. Pairs are excluded if a place contains the exact words
 * of the question, because that place rightly ranks above a title with other forms of the words.
 */
export async function languageResults(data: URL, engine: Engine = ours): Promise<KindResult[]> {
  const places = linesOf(data, 'geo-i18n').map((line) => JSON.parse(line))
  const documents = places.map(({ id, title, text }) => ({ ...EMPTY, id, title, text }))
  const inflected = INFLECTED.map(({ title }, at) => ({ ...EMPTY, id: `own-${at}`, title }))
  const roll = dice(31)
  const placed = PLACE_LANGUAGES.map((language): Kind => {
    const questions = Array.from({ length: 4 * EACH_LANGUAGE }, () => places[roll(places.length)])
      .map((place) => ({ text: place.translations?.[language] as string, title: place.title as string }))
      .filter(({ text, title }) => text && text !== title)
      .slice(0, EACH_LANGUAGE)
    return [`places, ${language}`, questions]
  })
  const words = places.map(({ title, text }) => new Set(nameParts(`${title} ${text}`)))
  const isHeld = (text: string) => words.some((held) => nameParts(text).every((word) => held.has(word)))
  const own = Map.groupBy(
    INFLECTED.filter(({ text }) => !isHeld(text)),
    ({ language }) => language,
  )
  return resultsOf([...documents, ...inflected], [...placed, ...own], engine)
}

const EMPTY = { type: 'set:document', aliases: [], summary: '', text: '' }

function products(data: URL): SearchDocument[] {
  return linesOf(data, 'er-abt-buy').map((line) => {
    const { id, title, text } = JSON.parse(line)
    return { ...EMPTY, id, title, text }
  })
}

function linesOf(data: URL, set: string): string[] {
  return readFileSync(new URL(`search/${set}/corpus.ndjson`, data), 'utf8')
    .trim()
    .split('\n')
}

/** Kind of question, with its questions. */
type Kind = readonly [string, readonly Question[]]

/** Runs the questions of all kinds against the same index. */
async function resultsOf(
  documents: readonly SearchDocument[],
  kinds: readonly Kind[],
  engine: Engine,
): Promise<KindResult[]> {
  const all = kinds.flatMap(([, questions]) => questions)
  const answers = await engine(
    documents,
    all.map(({ text }) => text),
  )
  let from = 0
  return kinds.map(([kind, questions]) => {
    const own = answers.slice(from, from + questions.length)
    from += questions.length
    return resultOf(kind, questions, own, documents)
  })
}

function resultOf(
  kind: string,
  questions: readonly Question[],
  answers: readonly Answer[],
  documents: readonly SearchDocument[],
): KindResult {
  const places = questions.map(({ title }, question) => {
    const at = answers[question]?.found.findIndex((number) => documents[number]?.title === title) ?? -1
    return at < 0 ? Number.POSITIVE_INFINITY : at
  })
  const within = (most: number) => places.filter((place) => place < most).length / places.length
  return {
    kind,
    questions: places.length,
    first: within(1),
    five: within(5),
    ten: within(10),
    ...spread(answers.map(({ ms }) => ms)),
  }
}
