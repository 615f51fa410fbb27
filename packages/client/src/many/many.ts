/**
 * `@worldwright/client/many`: asks many worlds that know nothing of each other the same question, side by side.
 */
import { originFrom } from '../address.ts'
import { connect, type WorldOptions } from '../connect.ts'
import { within } from '../deadline.ts'
import { assertArgument, attempt, fail } from '../error.ts'
import type { ForeignOptions } from '../foreign/foreign.ts'
import { withMessage } from '../messages.ts'
import type { DiscoverInput, Entity, EntityRef } from '../protocol.ts'
import { QUERY_ACTION } from '../query.ts'
import type { QueryInput } from '../query-types.ts'
import type { CallOptions, Limits } from '../request.ts'
import type { AnyTypes } from '../types.ts'
import type { World } from '../world.ts'
import { answersOf } from './answers.ts'
import { type Merged, merge, type WorldAnswer } from './merge.ts'
import type { Question } from './one-world.ts'

export { type Hit, type Merged, merge, type WorldAnswer, type WorldState } from './merge.ts'

/** Address of a world: its origin, or its origin with options of its own, such as a reading profile or a token. */
export type Place = string | URL | (Omit<ForeignOptions, 'signal'> & { origin: string | URL })

/** Limits of each world, and places of further worlds. */
export interface ManyOptions extends Limits, Pick<WorldOptions, 'allow'> {
  /** Time for one world to answer, in milliseconds, with its discovery document and all attempts. Default 5000. */
  timeout?: number | undefined
  /** Maximum number of retries of a safe call. Default 1. */
  retries?: number | undefined
  /** Maximum size of a body, in bytes. Default 256 KiB. */
  maxBytes?: number | undefined
  /** Maximum number of worlds asked at once, besides those that have taken a second. Default 16. */
  concurrency?: number | undefined
  /** Places of the worlds that references may name, by world id. */
  places?: ReadonlyMap<string, Place> | undefined
}

/** Structured query that can be asked of several worlds. */
export type ManyQuery = Pick<QueryInput<AnyTypes>, 'types' | 'text' | 'where' | 'sort' | 'fields' | 'limit'>

/** Answers to one question. Nothing is sent until they are used, and each use sends new requests. */
export interface Answers extends AsyncIterable<WorldAnswer> {
  /** Resolves with all answers as one, once each world has answered or failed. */
  merged(): Promise<Merged>
}

/** Options for a question or a reference. */
export type ManyCallOptions = Pick<CallOptions, 'signal'>

/** Worlds that are asked together. */
export interface Worlds {
  /** Filters and searches each world. `limit`, by default 20, applies to each world and to the merged answer. */
  discover(input?: Omit<DiscoverInput, 'cursor'>, options?: ManyCallOptions): Answers
  /** Queries each world that declares `worldwright:query`, with the same `limit`. The others are `unsupported`. */
  query(input?: ManyQuery, options?: ManyCallOptions): Answers
  /**
   * Returns the entity that a reference with the member `world` names. Fails with `invalid_argument` if `places` lacks that
   * world, with `world_mismatch` if the discovery document there states another id, and as `get` of a world does.
   */
  get(reference: EntityRef, options?: ManyCallOptions): Promise<Entity>
}

type Send = (world: World, input: Question, options: CallOptions) => Promise<unknown>

interface Listed extends ForeignOptions {
  origin: string
}

/**
 * Returns the worlds at these places as one. Sends nothing until a question is asked, and keeps connections for the next one.
 * Each world has limits of its own, and its failure is only its own answer. A world that is found at several places is asked
 * at the first. Tokens are sent only to the place with which they are given.
 */
export function connectAll(places: Iterable<Place>, options: ManyOptions = {}): Worlds {
  const { concurrency = 16, places: referenced, ...shared } = options
  const { timeout = 5000, retries = 1, maxBytes = 2 ** 18 } = shared
  const connected = new Map<string, World>()
  const connection = async ({ origin, ...own }: Listed, signal: AbortSignal) => {
    // With another token, an origin is another place.
    const key = `${own.token ?? ''} ${origin}`
    const known = connected.get(key)
    if (known) return known
    const open = own.profile || own.names ? (await import('../foreign/foreign.ts')).connect : connect
    const world = await open(origin, { ...shared, timeout, retries, maxBytes, ...own, signal })
    connected.set(key, world)
    return world
  }
  const listed = [...places].map(listedFrom)
  const answers = (input: Partial<Question>, send: Send, { signal }: ManyCallOptions = {}): Answers => {
    const { limit = 20 } = input
    assertArgument(Number.isSafeInteger(limit) && limit > 0 && concurrency > 0, { limit, concurrency })
    const question = { ...input, limit }
    const ask = (world: World, signal: AbortSignal) => send(world, question, { signal })
    const asking = { question, connection, ask, timeout, concurrency, signal }
    return {
      [Symbol.asyncIterator]: () => answersOf(listed, asking),
      async merged() {
        const all: WorldAnswer[] = []
        for await (const _ of answersOf(listed, asking, all));
        return merge(all, question)
      },
    }
  }
  return {
    discover: (input = {}, options) =>
      answers(input, (world, input, options) => world.discover(input as DiscoverInput, options), options),
    query: (input = {}, options) => answers(input, queried, options),
    get: ({ world: id, type, id: entity }, { signal } = {}) =>
      withMessage(() =>
        within(timeout, signal, async (signal) => {
          const place = referenced?.get(`${id}`)
          assertArgument(place, { world: id })
          const world = await connection(listedFrom(place), signal)
          if (world.id !== id) fail('world_mismatch', { expected: id, actual: world.id })
          return world.get(type, entity, { signal })
        }),
      ),
  }
}

/** Sends a query. Throws `unsupported_extension` without a request if the world does not declare that it takes queries. */
async function queried(world: World, input: object, options: CallOptions): Promise<unknown> {
  // The document is unchecked: `actions` may have any type.
  if (![world.document.actions].flat().some((listed) => Object(listed).name === QUERY_ACTION))
    fail('unsupported_extension', { extension: QUERY_ACTION })
  return (await world.action(QUERY_ACTION, input, options)).output
}

function listedFrom(place: Place): Listed {
  const { origin, ...own } = typeof place === 'string' || place instanceof URL ? { origin: place } : place
  // A text that is no origin fails when it is connected to, as only its own answer.
  return { ...own, origin: attempt(() => originFrom(`${origin}`)) ?? `${origin}` }
}
