/** Search without an index: reads every entity of a source, and compares words. */
import { compareUtf8 } from './compare-utf8.ts'
import {
  type EntityKey,
  type Found,
  type Query,
  type SortPosition,
  type Source,
  StorageFault,
  type StoredEntity,
  type TypeState,
} from './contract.ts'
import { plainTexts, wordsOf } from './plain-text.ts'

/** Page size of the scan, in entities. */
const PAGE = 500

/** Score of a matching word, above the weight of any field: entities that match more words always come first. */
const WORD_SCORE = 4

/** Maximum fields named for one entity. */
const MOST_FIELDS = 5

/**
 * Answers a query by reading all entities of its types. Matches whole words, without case and diacritics. Ranks by the
 * number of words of the text, then titles and other names, then summaries.
 * @throws StorageFault `unsupported` for conditions, orders, facets and `similar`: they need an index
 */
export async function scan(source: Source, query: Query): Promise<Found> {
  if (query.similar || query.where || query.sort?.length || query.facets?.length)
    throw new StorageFault('unsupported', 'This world has no search index: it finds by type and text alone.')
  const asked = query.types && new Set(query.types)
  const types = [...(await source.types({ signal: query.signal }))].filter(
    ([type, { count }]) => count > 0 && asked?.has(type) !== false,
  )
  return (query.text ?? '').trim() === ''
    ? everything(source, types, query)
    : matching(source, types, query, new Set(wordsOf(query.text ?? '')))
}

/** Returns, for each hit, up to 5 fields that contain a word of `matched`, as JSON Pointers. */
export function plainlyMatchedIn(hits: readonly StoredEntity[], matched: readonly string[]): string[][] {
  const words = new Set(matched)
  return hits.map(({ json }) =>
    [...plainTexts(JSON.parse(json))]
      .filter(({ text }) => wordsOf(text).some((word) => words.has(word)))
      .slice(0, MOST_FIELDS)
      .map(({ pointer }) => pointer),
  )
}

type Types = readonly (readonly [string, TypeState])[]

/** Returns the first entities after `after`, by type and then id. */
async function everything(source: Source, types: Types, { after, limit, signal }: Query): Promise<Found> {
  const hits: StoredEntity[] = []
  const damaged: EntityKey[] = []
  let more = false
  for (const [type] of types) {
    if (after && type < after.type) continue
    const room = limit - hits.length - damaged.length
    // Reads one extra entity to learn whether more follow.
    const page = await source.list(type, {
      after: type === after?.type ? after.id : undefined,
      limit: room + 1,
      signal,
    })
    hits.push(...page.entities.slice(0, room))
    damaged.push(...(page.damaged ?? []).map((id) => ({ type, id })))
    more = page.entities.length > room
    if (more) break
  }
  return found(
    types.map(([type, { count }]) => [type, count] as const),
    {
      hits,
      damaged,
      matched: [],
      partial: false,
      last: more ? lastOf([...hits, ...damaged], []) : undefined,
    },
  )
}

interface Match {
  readonly entity: StoredEntity
  readonly score: number
}

/** Returns the entities that contain any of the words, best first. */
async function matching(
  source: Source,
  types: Types,
  { after, limit, budgetMs, signal }: Query,
  words: ReadonlySet<string>,
): Promise<Found> {
  const deadline = performance.now() + budgetMs
  const matches: Match[] = []
  const matched = new Set<string>()
  const counts = new Map<string, number>()
  let partial = false
  for (const [type] of types) {
    for await (const entity of entitiesOf(source, type, signal)) {
      partial = performance.now() > deadline
      if (partial) break
      const score = scoreOf(entity, words, matched)
      if (score === 0) continue
      matches.push({ entity, score })
      counts.set(type, (counts.get(type) ?? 0) + 1)
    }
    if (partial) break
  }
  const ordered = matches.sort(inOrder).filter((match) => !after || isBehind(match, after))
  const hits = ordered.slice(0, limit)
  const last = ordered.length > hits.length ? hits.at(-1) : undefined
  return found([...counts], {
    hits: hits.map(({ entity }) => entity),
    damaged: [],
    matched: [...matched].sort(),
    partial,
    last: last && lastOf([last.entity], [last.score]),
  })
}

async function* entitiesOf(
  source: Source,
  type: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoredEntity> {
  for (let after: string | undefined; ; ) {
    const { entities, damaged = [] } = await source.list(type, { after, limit: PAGE, signal })
    yield* entities
    after = [...entities.slice(-1).map(({ id }) => id), ...damaged].sort(compareUtf8).at(-1)
    if (after === undefined) return
  }
}

/** Scores an entity: 0 if it contains none of the words. Adds those it contains to `matched`. */
function scoreOf({ json }: StoredEntity, words: ReadonlySet<string>, matched: Set<string>): number {
  const best = new Map<string, number>()
  for (const { text, weight } of plainTexts(JSON.parse(json)))
    for (const word of wordsOf(text))
      if (words.has(word)) best.set(word, Math.max(best.get(word) ?? 0, WORD_SCORE * words.size + weight))
  for (const word of best.keys()) matched.add(word)
  return [...best.values()].reduce((sum, score) => sum + score, 0)
}

function inOrder(left: Match, right: Match): number {
  return right.score - left.score || compareKeys(left.entity, right.entity)
}

function isBehind({ entity, score }: Match, { values: [at], ...key }: SortPosition): boolean {
  const most = Number(at)
  return score < most || (score === most && compareKeys(entity, key) > 0)
}

function compareKeys(left: EntityKey, right: EntityKey): number {
  if (left.type !== right.type) return left.type < right.type ? -1 : 1
  return compareUtf8(left.id, right.id)
}

function lastOf(keys: readonly EntityKey[], values: SortPosition['values']): SortPosition | undefined {
  const last = [...keys].sort(compareKeys).at(-1)
  return last && { type: last.type, id: last.id, values }
}

interface Parts extends Pick<Found, 'hits' | 'matched' | 'partial'> {
  readonly damaged: readonly EntityKey[]
  readonly last: SortPosition | undefined
}

function found(counts: readonly (readonly [string, number])[], { damaged, last, ...parts }: Parts): Found {
  return {
    ...parts,
    total: counts.reduce((sum, [, count]) => sum + count, 0),
    counts: Object.fromEntries(counts),
    totalIsLowerBound: parts.partial,
    ...(last && { last }),
    ...(damaged.length > 0 && { damaged }),
  }
}
