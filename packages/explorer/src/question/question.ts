/** Client for the action `worldwright:query`. */
import {
  type CallOptions,
  type Facet as Counted,
  type Entity,
  type EntityList,
  type EntityRef,
  type FacetBucket,
  isWorldError,
  type JsonObject,
  type JsonValue,
  type World,
} from '@worldwright/client'
import { isObject, member } from '@worldwright/extensions/shown'
import { type Asked, allOf, questionFrom } from '@worldwright/extensions/views'
import { createLimiter } from '../world/limiter.ts'
import type { Pages } from '../world/walk.ts'
import { type Askable, QUERY } from './askable.ts'
import { conditionFrom } from './cql.ts'

/** Bucket of a facet: a value, a range, or a referring type and property, with its count. */
export type Bucket = FacetBucket

/** Counts over all matches of a question. `present` is the number of matches with a value. */
export type Facet = Pick<Counted, 'present' | 'minimum' | 'maximum' | 'buckets'> & {
  /** True if there are values without a bucket. */
  readonly more: boolean
  /** True if the counts are lower bounds. */
  readonly partial: boolean
}

/** Answer to a question: a page of entities, and the facets in the order in which they were requested. */
export interface Answer extends EntityList {
  readonly facets: readonly Facet[]
  readonly groups: readonly Group[]
  /** Number of groups, of which `groups` has the first. */
  readonly groupsTotal: number
  /** For each measure, the number of entities whose values are of other kinds. */
  readonly ignored: readonly number[]
  /** True if the world stopped counting before the end. */
  readonly partial: boolean
  /** Number of matches by type. Empty if the world does not report exact numbers. */
  readonly counts: Readonly<Record<string, number>>
}

/** A group of matches: one value per key, the number of matches, and one value per measure. */
export interface Group {
  readonly key: readonly JsonValue[]
  readonly count: number
  readonly measures: readonly JsonValue[]
}

/** The part of `World` that queries need. */
export type Asking = Pick<World, 'action'>

/** Concurrency limits for questions to each world, so that secondary content does not delay more important requests. */
const limiters = new WeakMap<Asking, ReturnType<typeof createLimiter>>()
/** Maximum number of attempts while a world is busy, and maximum `Retry-After` that is honoured, in seconds. */
const MOST_TRIES = 4
const LONGEST_WAIT = 5
/** Maximum number of entities on a page of an answer. */
const MOST_LISTED = 200

/**
 * Sends a question, within the concurrency limit, and retries if the world is briefly busy. Rejects as `World.action` does.
 * Malformed parts of the answer are treated as absent.
 */
export async function ask(world: Asking, input: JsonObject, options: CallOptions): Promise<Answer> {
  const inTurn = limiters.get(world) ?? createLimiter(2)
  limiters.set(world, inTurn)
  const { output } = await inTurn(() => patiently(() => world.action(QUERY, input, options), options.signal))
  const { entities, total, nextCursor, limit, facets, partial, groups, groupsTotal, measures, ...rest } =
    Object(output)
  const grouped = Array.isArray(groups) ? groups.filter(isGroup) : []
  return {
    entities: Array.isArray(entities) ? entities.filter(isEntity) : [],
    total: typeof total === 'number' ? total : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
    ...(typeof nextCursor === 'string' && { nextCursor }),
    facets: Array.isArray(facets) ? facets.map(facetFrom) : [],
    groups: grouped,
    groupsTotal: Math.max(grouped.length, Number(groupsTotal) || 0),
    ignored: Array.isArray(measures) ? measures.map((one) => Number(member(one, 'ignored') ?? 0)) : [],
    partial: partial === true,
    counts: rest.totalIsLowerBound === true ? {} : countsFrom(rest.counts),
  } as Answer
}

/** Returns the counts by type of an answer, without any that is no number. */
export function countsFrom(counts: unknown): Readonly<Record<string, number>> {
  const pairs = Object.entries(isObject(counts) ? counts : {}).filter(([, one]) => typeof one === 'number')
  return Object.fromEntries(pairs) as Record<string, number>
}

/** Returns a function that reads several entities in one question. */
export function readTitles(world: Asking) {
  return (refs: readonly EntityRef[]): Promise<Answer> => {
    const [types, ids] = [[...new Set(refs.map(({ type }) => type))], [...new Set(refs.map(({ id }) => id))]]
    const where = { op: 'in', args: [{ property: 'id' }, ids] }
    return ask(world, { types, where, fields: [], limit: MOST_LISTED }, {})
  }
}

/** Asks a question with more members and conditions, for counts only. */
export type Asks = (more: JsonObject, ...conditions: JsonObject[]) => Promise<Answer>

/** Returns a function that asks a question in any order. */
export function asking(
  world: Asking,
  { sort: _, ...question }: JsonObject,
  conditions: readonly JsonObject[],
  signal: AbortSignal,
): Asks {
  return (more, ...others) =>
    ask(world, { ...narrowed(question, [...conditions, ...others]), limit: 0, ...more }, { signal })
}

/** Returns a question for the matches that also fulfil some conditions. */
export function narrowed({ where, ...question }: JsonObject, conditions: readonly JsonObject[]): JsonObject {
  const all = allOf([...(isObject(where) ? [where] : []), ...conditions])
  return { ...question, ...(all && { where: all }) }
}

/** Runs `attempt`. If the world is busy and requests at most a short wait, retries after that wait. */
async function patiently<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      signal?.throwIfAborted()
      return await attempt()
    } catch (error) {
      const isBusy = isWorldError(error) && (error.status === 429 || error.status === 503)
      const wait = isBusy ? (error.retryAfter ?? 1) : LONGEST_WAIT + 1
      if (tries >= MOST_TRIES || wait > LONGEST_WAIT) throw error
      await new Promise((resolve) => setTimeout(resolve, wait * 1000))
    }
  }
}

/** Returns the pages of the question that `asked` resolves to. Requesting a page rejects if `asked` rejects. */
export function pagesOfQuestion(world: Asking, asked: () => Promise<JsonObject>): Pages {
  return async function* ({ cursor, pageSize: limit }, signal) {
    const question = await asked()
    for (let next = cursor; ; ) {
      const answer = await ask(
        world,
        { ...question, limit, ...(next !== undefined && { cursor: next }) },
        { signal },
      )
      yield answer
      if (answer.nextCursor === undefined) return
      next = answer.nextCursor
    }
  }
}

/** Reports whether a value has a string `type` and a string `id`, as entities do. */
export function isEntity(value: unknown): value is Entity {
  return typeof member(value, 'type') === 'string' && typeof member(value, 'id') === 'string'
}

function isGroup(value: unknown): value is Group {
  const isList = (name: string) => Array.isArray(member(value, name))
  return isList('key') && isList('measures') && typeof member(value, 'count') === 'number'
}

function facetFrom(value: JsonValue): Facet {
  const buckets = member(value, 'buckets')
  const counted = Array.isArray(buckets)
    ? buckets.filter((bucket) => isObject(bucket) && typeof bucket['count'] === 'number')
    : []
  const present = member(value, 'present')
  const bound = (name: 'minimum' | 'maximum') => {
    const found = member(value, name)
    return typeof found === 'number' || typeof found === 'string' ? { [name]: found } : {}
  }
  return {
    present: typeof present === 'number' ? present : 0,
    ...bound('minimum'),
    ...bound('maximum'),
    buckets: counted as unknown as Bucket[],
    more: member(value, 'more') === true,
    partial: member(value, 'partial') === true,
  }
}

/** Returns the input of `worldwright:query` for a list. Rejects with `invalid_argument` if a condition is invalid. */
export async function questionOf(
  type: string,
  asked: Asked,
  askables: readonly Askable[],
): Promise<JsonObject> {
  return questionFrom(type, asked, askables, await conditionFrom(asked, askables))
}
