/**
 * One question to many worlds, side by side.
 */
import { within } from '../deadline.ts'
import { withMessage } from '../messages.ts'
import { errorOf } from '../request.ts'
import type { World } from '../world.ts'
import { inTurn } from './in-turn.ts'
import type { WorldAnswer } from './merge.ts'
import { answerFrom, type Question, stateOf } from './one-world.ts'

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

/** Place at which a world was found. */
interface Claim {
  readonly id: string | undefined
  readonly api: string
  readonly origin: string
}

/**
 * Yields the answers of the worlds at these places as they arrive, and puts each into `all` at the index of its place. Leaving
 * the loop aborts all requests. A world with the id of an earlier place, or with the id and the API of any other, is not
 * asked again. A later place with the same id may have been asked before: `merge` then counts the earlier one.
 */
export async function* answersOf<P extends { readonly origin: string }>(
  places: readonly P[],
  { question, connection, ask, timeout, concurrency, signal: outer }: Asking<P>,
  all: WorldAnswer[] = [],
): AsyncGenerator<WorldAnswer, void, undefined> {
  const ending = new AbortController()
  const end = () => ending.abort(outer?.reason)
  outer?.addEventListener('abort', end, { signal: ending.signal })
  if (outer?.aborted) end()
  const claims = new Map<number, Claim>()
  const answerOf = async (place: P, index: number): Promise<WorldAnswer> => {
    const { origin } = place
    let world: World | undefined
    try {
      return await withMessage(() =>
        within(timeout, ending.signal, async (signal) => {
          world = await connection(place, signal)
          const claim = { id: world.id, api: world.document.endpoints.api, origin }
          const other = [...claims].find(
            ([at, { id, api }]) => id === claim.id && (api === claim.api || (id !== undefined && at < index)),
          )
          if (other) return { origin, state: 'same', as: other[1].origin, hits: [], world }
          claims.set(index, claim)
          return answerFrom(await ask(world, signal), origin, world, question)
        }),
      )
    } catch (thrown) {
      // Another place of the same world may still answer.
      claims.delete(index)
      const error = errorOf(thrown)
      return { origin, state: stateOf(error, world), error, hits: [], world }
    }
  }
  const tasks = places.map((place, index) => async () => {
    const as = places.findIndex(({ origin }) => origin === place.origin)
    const answer: WorldAnswer =
      as < index
        ? { origin: place.origin, state: 'same', as: place.origin, hits: [] }
        : await answerOf(place, index)
    all[index] = answer
    return answer
  })
  try {
    yield* inTurn(tasks, concurrency)
  } finally {
    end()
  }
}
