/** Precise questions to a world, and its answers: the action `worldwright:query`. */
import {
  type CallOptions,
  type Facet as Counted,
  type Entity,
  type EntityList,
  type FacetBucket,
  isWorldError,
  type JsonObject,
  type JsonValue,
  type World,
} from '@worldwright/client'
import { isObject, member } from '../data/schema.ts'
import { createLimiter } from '../world/limiter.ts'
import type { Pages } from '../world/walk.ts'
import { QUERY } from './askable.ts'

/** One bucket of a facet: a value, a range, or a type with the property that refers, and its count. */
export type Bucket = FacetBucket

/** A count over all matches of a question; `present` entities have a value. */
export type Facet = Pick<Counted, 'present' | 'minimum' | 'maximum' | 'buckets'> & {
  /** True if there are more values than buckets. */
  readonly more: boolean
  /** True if all numbers are lower bounds. */
  readonly partial: boolean
}

/** An answer: a page of entities, and the facets in the order in which they were asked for. */
export interface Answer extends EntityList {
  readonly facets: readonly Facet[]
  /** True if the world stopped counting early. */
  readonly partial: boolean
}

/** The part of a world that answers questions. */
export type Asking = Pick<World, 'action'>

/** Limits concurrent questions: the content beside a page must not keep other requests waiting. */
const inTurn = createLimiter(2)
/** Maximum attempts with a busy world, and maximum wait that it may ask for, in seconds. */
const MOST_TRIES = 4
const LONGEST_WAIT = 5

/**
 * Asks one question, after earlier ones were answered; a briefly busy world is asked again. Rejects as an action does;
 * parts of the answer that are not as declared count as absent.
 */
export async function ask(world: Asking, input: JsonObject, options: CallOptions): Promise<Answer> {
  const { output } = await inTurn(() => patiently(() => world.action(QUERY, input, options), options.signal))
  const { entities, total, nextCursor, limit, facets, partial } = Object(output)
  return {
    entities: Array.isArray(entities) ? entities.filter(isEntity) : [],
    total: typeof total === 'number' ? total : undefined,
    limit: typeof limit === 'number' ? limit : undefined,
    ...(typeof nextCursor === 'string' && { nextCursor }),
    facets: Array.isArray(facets) ? facets.map(facetFrom) : [],
    partial: partial === true,
  } as Answer
}

/** Retries after the wait that a busy world asks for; the user would only do the same by hand. */
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

/** Returns the pages of a question, by its cursors. The question is resolved with the first page, which rejects if it does. */
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

/** Reports whether a value has a type and an id, as entities have. */
export function isEntity(value: unknown): value is Entity {
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
