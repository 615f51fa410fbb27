/** Search that uses no index and reads every entity of a source. */
import { compareUtf8 } from './compare-utf8.ts'
import type {
  EntityKey,
  Found,
  Page,
  Query,
  SortPosition,
  Source,
  StoredEntity,
  TypeState,
} from './contract.ts'
import { plainTexts, wordsOf } from './plain-text.ts'
import { StoreFault } from './store-fault.ts'

/** Page size of the scan, in entities. */
const PAGE = 500

/** Base score of a matching word. Above any field weight, so that entities with more matching words always rank first. */
const WORD_SCORE = 4

/** Maximum number of matching fields returned per entity. */
const MOST_FIELDS = 5

/**
 * Answers a query by reading all entities of its types. Matches whole words, ignoring case and diacritics. Ranks by the
 * number of matching words, then by field: title and aliases, then summary, then the others. Reads a page at least.
 * @throws StoreFault `unsupported` for conditions, sort orders, facets, groups and `similar`, which need an index
 */
export async function scan(source: Source, query: Query): Promise<Found> {
  if (query.similar || query.where || query.sort?.length || query.facets?.length || query.group)
    throw new StoreFault('unsupported', 'This world has no search index: it finds by type and text alone.')
  const asked = query.types && new Set(query.types)
  const types = [...(await source.types({ signal: query.signal }))].filter(
    ([type, { count }]) => count > 0 && asked?.has(type) !== false,
  )
  return (query.text ?? '').trim() === ''
    ? everything(source, types, query)
    : matching(source, types, query, new Set(wordsOf(query.text ?? '')))
}

/** Returns, for each hit, up to 5 fields that contain a word in `matched`, as JSON Pointers. */
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

/** Returns the first `limit` entities after `after`, ordered by type and id. */
async function everything(source: Source, types: Types, { after, limit, signal }: Query): Promise<Found> {
  const hits: StoredEntity[] = []
  const damaged: EntityKey[] = []
  let more = false
  for (const [type] of types) {
    if (after && type < after.type) continue
    const room = limit - hits.length - damaged.length
    // Reads one extra entity to learn whether more entities follow.
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
  let sure = PAGE
  reading: for (const [type] of types)
    for await (const { entities } of pagesOf(source, type, signal))
      for (const entity of entities) {
        partial = sure-- <= 0 && performance.now() > deadline
        if (partial) break reading
        const score = scoreOf(entity, words, matched)
        if (score === 0) continue
        matches.push({ entity, score })
        counts.set(type, (counts.get(type) ?? 0) + 1)
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

/** Reads all pages of a type, in order. The last one is empty. */
export async function* pagesOf(source: Source, type: string, signal?: AbortSignal): AsyncGenerator<Page> {
  for (let after: string | undefined; ; ) {
    const page = await source.list(type, { after, limit: PAGE, signal })
    yield page
    const ids = [...page.entities.slice(-1).map(({ id }) => id), ...(page.damaged ?? [])]
    after = ids.sort(compareUtf8).at(-1)
    if (after === undefined) return
  }
}

/** Returns the score of an entity, which is 0 if it contains none of the words. Adds the matching words to `matched`. */
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
