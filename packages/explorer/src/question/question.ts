/** Precise questions to a world, and what it answers: the action `worldwright:query`. */
import {
  type CallOptions,
  type Entity,
  type EntityList,
  type EntityRef,
  isWorldError,
  type JsonObject,
  type JsonValue,
  type World,
} from '@worldwright/client'
import { isObject, member } from '../data/schema.ts'
import { createLimiter } from '../world/limiter.ts'
import type { Pages } from '../world/pages.ts'
import { QUERY } from './askable.ts'

/** One line of a facet: a value, or a range, and how many have it. */
export interface Bucket {
  readonly value?: JsonValue
  readonly from?: number | string
  readonly to?: number | string
  /** Of referrers: the type that refers, and the property that does. */
  readonly type?: string
  readonly property?: JsonValue
  readonly count: number
}

/** A count over everything that fits a question. */
export interface Facet {
  /** How many have a value. */
  readonly present: number
  readonly minimum?: number | string
  readonly maximum?: number | string
  readonly buckets: readonly Bucket[]
  /** There are more values than lines. */
  readonly more?: boolean
  /** All numbers are lower bounds. */
  readonly partial?: boolean
}

/** An answer: a page of entities, and the facets in the order in which they were asked for. */
export interface Answer extends EntityList {
  readonly facets: readonly Facet[]
  /** The words of the index that matched a text. */
  readonly matched: readonly string[]
  readonly totalIsLowerBound: boolean
  readonly partial: boolean
}

/** Questions at once: what stands beside a page must not keep others from the world. */
const inTurn = createLimiter(2)
/** How often a busy world is asked again, and the seconds it may ask to wait for that. */
const MOST_TRIES = 4
const LONGEST_WAIT = 5

/**
 * Asks one question, when those before have been answered; a world that is busy for a moment is asked again. Rejects as an
 * action does; what of the answer is not as declared is taken as absent.
 */
export async function ask(
  world: Pick<World, 'action'>,
  input: JsonObject,
  options: CallOptions,
): Promise<Answer> {
  const { output } = await inTurn(() => patiently(() => world.action(QUERY, input, options), options.signal))
  const entities = member(output, 'entities')
  const [total, nextCursor, limit, matched] = ['total', 'nextCursor', 'limit', 'matched'].map((name) =>
    member(output, name),
  )
  const facets = member(output, 'facets')
  return {
    entities: Array.isArray(entities) ? (entities.filter(isEntity) as unknown as Entity[]) : [],
    total: typeof total === 'number' ? total : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
    ...(typeof nextCursor === 'string' && { nextCursor }),
    facets: Array.isArray(facets) ? facets.map(facetFrom) : [],
    matched: Array.isArray(matched) ? matched.filter((word) => typeof word === 'string') : [],
    totalIsLowerBound: member(output, 'totalIsLowerBound') === true,
    partial: member(output, 'partial') === true,
  } as Answer
}

/** Tries again after as long as a busy world asks for; the page would only do the same by hand. */
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

/** The answers to a question, by their cursors. What it asks is read with the first page, and rejects that. */
export function pagesOfQuestion(world: Pick<World, 'action'>, asked: () => Promise<JsonObject>): Pages {
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

/** Who refers to an entity: by the type that does, and the property. */
export async function referrersOf(
  world: Pick<World, 'action'>,
  { type, id }: EntityRef,
  signal: AbortSignal,
): Promise<Facet | undefined> {
  const facets = [{ referrers: { type, id }, limit: 50 }]
  return (await ask(world, { facets, limit: 0 }, { signal })).facets[0]
}

function isEntity(value: JsonValue): boolean {
  return typeof member(value, 'type') === 'string' && typeof member(value, 'id') === 'string'
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
