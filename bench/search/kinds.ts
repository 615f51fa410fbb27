/** How well the engine finds by questions of each kind, and in many languages. */
import { readFileSync } from 'node:fs'
import { createMemorySegments } from '../../packages/server/src/search/memory-segments.ts'
import type { SearchDocument } from '../../packages/server/src/search/port/document.ts'
import { IndexReader } from '../../packages/server/src/search/read/index-reader.ts'
import { dice } from '../../packages/server/src/search/reference/random.fixture.ts'
import { SegmentBuilder } from '../../packages/server/src/search/write/segment-builder.ts'
import { readCorpus } from './corpus.ts'
import { INFLECTED } from './inflected.ts'
import { spread } from './latency.ts'
import { type Question, questionsOf } from './questions.ts'

/** What the questions of one kind came to: shares of all, and milliseconds. */
export interface KindResult {
  readonly kind: string
  readonly questions: number
  /** The first hit was right. */
  readonly first: number
  /** One of the first five was right. */
  readonly five: number
  /** One of the first ten was right. */
  readonly ten: number
  readonly p50: number
  readonly p99: number
}

/** Names of all places in these languages are asked for. */
const PLACE_LANGUAGES = ['ar', 'de', 'fr', 'hi', 'ja', 'ko', 'pl', 'ru', 'tr', 'uk', 'zh-CN']
const EACH_LANGUAGE = 150

/** Kinds of questions over names: films, books, people, airports, stars, and products. */
export async function kindResults(data: URL): Promise<KindResult[]> {
  const { documents } = await readCorpus(new URL('entities/medium.ndjson.gz', data))
  const names = [...documents.filter(({ type }) => !type.startsWith('tate:art')), ...products(data)]
  const search = searcherOf(names)
  return [...questionsOf(names)].map(([kind, questions]) => resultOf(kind, questions, search))
}

/** Titles in many languages among the names of 14,000 places. */
export function languageResults(data: URL): KindResult[] {
  const places = linesOf(data, 'geo-i18n').map((line) => JSON.parse(line))
  const documents = places.map(({ id, title, text }) => ({ ...EMPTY, id, title, text }))
  const inflected = INFLECTED.map(({ title }, at) => ({ ...EMPTY, id: `own-${at}`, title }))
  const search = searcherOf([...documents, ...inflected])
  const roll = dice(31)
  const placed = PLACE_LANGUAGES.map((language) => {
    const questions = Array.from({ length: 4 * EACH_LANGUAGE }, () => places[roll(places.length)])
      .map((place) => ({ text: place.translations?.[language] as string, title: place.title as string }))
      .filter(({ text, title }) => text && text !== title)
      .slice(0, EACH_LANGUAGE)
    return resultOf(`places, ${language}`, questions, search)
  })
  const own = Map.groupBy(INFLECTED, ({ language }) => language)
  return [...placed, ...[...own].map(([language, questions]) => resultOf(language, questions, search))]
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

/** Asks, and gives the titles of the first ten hits. */
type Search = (text: string) => string[]

function searcherOf(documents: readonly SearchDocument[]): Search {
  const titles = new Map(documents.map(({ type, id, title }) => [`${type} ${id}`, title]))
  const store = createMemorySegments()
  const builder = new SegmentBuilder()
  for (const document of documents) builder.add(document)
  const { segment, head } = builder.write(store)
  store.publish(segment, head, [])
  const reader = new IndexReader(store)
  return (text) => {
    const { hits } = reader.search({ text, limit: 10, budgetMs: 60_000 })
    return hits.map(({ key }) => titles.get(`${key.type} ${key.id}`) ?? '')
  }
}

function resultOf(kind: string, questions: readonly Question[], search: Search): KindResult {
  const times: number[] = []
  const places = questions.map(({ text, title }) => {
    const began = performance.now()
    const found = search(text)
    times.push(performance.now() - began)
    const at = found.indexOf(title)
    return at < 0 ? Number.POSITIVE_INFINITY : at
  })
  const within = (most: number) => places.filter((place) => place < most).length / places.length
  return {
    kind,
    questions: places.length,
    first: within(1),
    five: within(5),
    ten: within(10),
    ...spread(times),
  }
}
