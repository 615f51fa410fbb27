/** Answers questions with this project's engine. */
import { DatabaseSync } from 'node:sqlite'
import type { Entity } from '@worldwright/client/protocol'
import { searchDocumentOf } from '../../packages/search/src/entities/search-document.ts'
import { valuesOf } from '../../packages/search/src/entities/search-values.ts'
import type { Condition, GroupKey, Measure, SortPosition } from '../../packages/search/src/port/conditions.ts'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import type { Query } from '../../packages/search/src/port/search-query.ts'
import { IndexReader } from '../../packages/search/src/read/index-reader.ts'
import { IndexWriter } from '../../packages/search/src/write/index-writer.ts'
import {
  clearIndex,
  SEGMENT_CHECKSUM,
  SEGMENT_SCHEMA,
  segmentStore,
} from '../../packages/sqlite/src/segments.ts'
import { readEntities } from '../search/corpus.ts'
import { openEntities } from './entities.ts'
import { band, COUNTRIES, PAGE, type questions, tenthOf } from './questions.ts'

/** Functions that answer questions, by question name. Unsupported questions are absent. */
export type Engine = { readonly [Name in (typeof questions)[number]]?: (round: number) => unknown } & {
  readonly [name: string]: ((round: number) => unknown) | undefined
}

const MEASURES: readonly Measure[] = [
  { op: 'avg', property: ['lat'], kind: 'number' },
  { op: 'max', property: ['lon'], kind: 'number' },
]

const BATCH = 100_000
const TIMES = { createdAt: Date.UTC(2026, 2, 1), updatedAt: Date.UTC(2026, 2, 1) }

/** Builds the index of a file as a single segment, with or without values. */
export async function buildColumns(
  path: string,
  file: URL,
  withValues: boolean,
): Promise<{ entities: number; seconds: number }> {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SEGMENT_SCHEMA}; ${SEGMENT_CHECKSUM}`)
  clearIndex(db)
  const store = segmentStore(db)
  const writer = new IndexWriter(store)
  let [entities, micros] = [0, 0]
  let batch: Entity[] = []
  const documentOf = (entity: Entity): SearchDocument => ({
    ...searchDocumentOf(entity),
    ...(withValues && { values: valuesOf(entity, TIMES) }),
  })
  const flush = () => {
    const began = process.cpuUsage()
    db.exec('BEGIN')
    writer.change([], batch.map(documentOf))
    db.exec('COMMIT')
    batch = []
    micros += Object.values(process.cpuUsage(began)).reduce((sum, part) => sum + part)
  }
  for await (const entity of readEntities(file)) {
    batch.push(entity)
    entities += 1
    if (batch.length === BATCH) flush()
  }
  if (batch.length > 0) flush()
  const began = process.cpuUsage()
  db.exec('BEGIN')
  writer.mergeAll()
  while (store.sweep(10_000)) {}
  db.exec('COMMIT; VACUUM')
  micros += Object.values(process.cpuUsage(began)).reduce((sum, part) => sum + part)
  db.close()
  return { entities, seconds: micros / 1e6 }
}

/** Opens the index for queries, and the entities for result pages. */
export function openColumns(path: string, entities: string): Engine {
  const db = new DatabaseSync(path, { readOnly: true })
  const reader = new IndexReader(segmentStore(db))
  reader.refresh()
  const read = openEntities(entities)
  const search = (query: Partial<Query>) => reader.search({ limit: PAGE, budgetMs: 60_000, ...query })
  const ask = (query: Partial<Query>) => {
    const found = search(query)
    return { ...found, entities: read(found.hits.map(({ key }) => key)) }
  }
  const between = (round: number): Condition => {
    const [low, high] = band(round)
    return { op: 'between', property: ['lat'], low, high }
  }
  const country = (round: number): Condition => {
    return { op: '=', property: ['country'], value: COUNTRIES[round % COUNTRIES.length] as string }
  }
  const tenth = (round: number): Condition => {
    const [low, high] = tenthOf(round)
    return { op: 'between', property: ['lon'], low, high }
  }
  const east: Condition = { op: '>', property: ['lon'], value: 2 }
  const three = (round: number): Condition => ({
    op: 'and',
    conditions: [country(round), between(round), east],
  })
  const byLatitude = [{ by: 'value', property: ['lat'], kind: 'number', descending: true }] as const
  const somewhere = search({ sort: byLatitude, limit: 200_000 }).last as SortPosition
  const places = { facet: 'values', property: ['stateCode'], kind: 'text', limit: 1000 } as const
  const groups = (keys: GroupKey[], query: Partial<Query> = {}): Partial<Query> => ({
    limit: 0,
    group: { keys, measures: MEASURES, sort: [{ by: 'count', descending: true }], limit: 1000 },
    ...query,
  })
  const byText = (name: string): GroupKey => ({ by: 'value', property: [name], kind: 'text' })
  const byDecade: GroupKey = { by: 'width', property: ['lat'], width: 10, origin: 0 }
  return {
    'one value of many': (round) =>
      ask({ where: { op: '=', property: ['code'], value: String(10_000 + round * 7) } }),
    'a hundredth by a number': (round) => ask({ where: between(round) }),
    'half by a number': (round) => ask({ where: { op: '>', property: ['lat'], value: 40 + (round % 10) } }),
    'one country': (round) => ask({ where: country(round) }),
    'three conditions and a sort': (round) => ask({ where: three(round), sort: byLatitude }),
    'sorted, first page': () => ask({ sort: byLatitude }),
    'sorted, page 10,000': () => ask({ sort: byLatitude, after: somewhere }),
    'text and three conditions': (round) => ask({ text: 'saint', where: three(round) }),
    'text and a country': (round) => ask({ text: 'saint', where: country(round) }),
    'facet of all': () => ask({ limit: 0, facets: [places] }),
    'facet of a hundredth': (round) => ask({ limit: 0, where: between(round), facets: [places] }),
    'groups by one key': () => search(groups([byText('state')])),
    'groups by two keys': () => search(groups([byText('country'), byText('state')])),
    'groups of a tenth by decade': (round) => search(groups([byDecade], { where: tenth(round) })),
    'groups of all by place': () => search(groups([byText('place')])),
    'groups by cells of a map': () => search(groups([{ by: 'cells', property: 'attributes', degrees: 10 }])),
    'the first of a sample': () => ask({ sort: [{ by: 'sample' }] }),
  }
}
