/**
 * One question to many worlds, side by side.
 */
import { within } from '../deadline.ts'
import { withMessage } from '../messages.ts'
import { errorOf } from '../request.ts'
import type { World } from '../world.ts'
import { inTurn } from './in-turn.ts'
import { identityOf, type WorldAnswer } from './merge.ts'
import { answerFrom, type Question, stateOf } from './one-world.ts'

/** Address of a world, with a time limit of its own, in milliseconds, if it has one. */
interface Place {
  readonly origin: string
  readonly timeout?: number | undefined
}

/** Way in which a question is asked. */
export interface Asking<P> {
  readonly question: Question
  /** Connects to the world at a place. */
  readonly connection: (place: P, signal: AbortSignal) => Promise<World>
  /** Sends the question to a world and returns its output. */
  readonly ask: (world: World, signal: AbortSignal) => Promise<unknown>
  readonly timeout: number
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
}

/**
 * Yields the answers of the worlds at these places as they arrive, and puts each into `all` at the index of its place. Leaving
 * the loop aborts all requests. A place is not asked if the same world was found at an earlier one; if that is found only
 * later, both are asked, and `merge` drops the answer of the later place.
 */
export async function* answersOf<P extends Place>(
  places: readonly P[],
  { question, connection, ask, timeout, concurrency, signal: outer }: Asking<P>,
  all: WorldAnswer[] = [],
): AsyncGenerator<WorldAnswer, void, undefined> {
  const ending = new AbortController()
  const end = () => ending.abort(outer?.reason)
  outer?.addEventListener('abort', end, { signal: ending.signal })
  if (outer?.aborted) end()
  // Identities of the worlds that were found, by the index of their place.
  const found = new Map<number, string>()
  const answerOf = async (place: P, index: number): Promise<WorldAnswer> => {
    const { origin } = place
    const same = (as: number, world?: World): WorldAnswer => {
      return { origin, state: 'same', as: places[as]?.origin, hits: [], world }
    }
    const first = places.findIndex((other) => other.origin === origin)
    if (first < index) return same(first)
    let world: World | undefined
    try {
      return await withMessage(() =>
        within(place.timeout ?? timeout, ending.signal, async (signal) => {
          world = await connection(place, signal)
          const identity = identityOf(world)
          for (const [at, other] of found) if (at < index && other === identity) return same(at, world)
          found.set(index, identity)
          return answerFrom(await ask(world, signal), origin, world, question)
        }),
      )
    } catch (thrown) {
      // Another place of the same world may still answer.
      found.delete(index)
      const error = errorOf(thrown)
      return { origin, state: stateOf(error, world), error, hits: [], world }
    }
  }
  const tasks = places.map((place, index) => async () => {
    all[index] = await answerOf(place, index)
    return all[index]
  })
  try {
    yield* inTurn(tasks, concurrency)
  } finally {
    end()
  }
}
