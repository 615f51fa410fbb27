/**
 * Merging of the answers of several worlds.
 */
import { isText, type WorldError } from '../error.ts'
import type { Entity } from '../protocol.ts'
import type { World } from '../world.ts'

/**
 * Outcome of a question to one world. `partial`: the world says so, or hits were left out that were no entities of the types
 * asked for. `same`: asked at the place `as`. `refused`: by the world, or by this client. `broken`: no result, or too large.
 */
export type WorldState =
  | 'answered'
  | 'partial'
  | 'same'
  | 'late'
  | 'refused'
  | 'unsupported'
  | 'not_a_world'
  | 'broken'
  | 'unreachable'

/** A match, with the world that returned it. */
export interface Hit {
  readonly entity: Entity
  /** Origin of the world. */
  readonly origin: string
  /** Id that the world states for itself. Nothing proves it. */
  readonly worldId: string | undefined
  /** Rank in the answer of the world, from 1. */
  readonly rank: number
  /** Reciprocal rank, 1 / (60 + `rank`). */
  readonly score: number
}

/** Answer of one world, or the reason why there is none. */
export interface WorldAnswer {
  /** Origin of the world, as it was given. */
  readonly origin: string
  readonly state: WorldState
  /** Matches, best first, at most as many as were asked for. Empty if the world did not answer. */
  readonly hits: readonly Hit[]
  /** Total number of matches, as the world states it. */
  readonly total?: number | undefined
  /** The error, whose `code` is the reason, if the world did not answer. */
  readonly error?: WorldError | undefined
  /** Origin at which the same world was asked, if the state is `same`. */
  readonly as?: string | undefined
  /** The connected world, unless its discovery document could not be read. */
  readonly world?: World | undefined
}

/** Answers of several worlds as one. */
export interface Merged {
  /** Matches of all worlds, best first, at most as many as were asked for. */
  readonly hits: Hit[]
  /** All answers. */
  readonly worlds: WorldAnswer[]
  /** The answers of the worlds from which nothing came. */
  readonly missing: WorldAnswer[]
}

// Maximum number of words of a text, and of characters of a title, that are compared.
const MAX_WORDS = 32
const MAX_TITLE = 256

/**
 * Merges answers by reciprocal rank: a hit scores 1 / (60 + rank), since the scores of different worlds do not compare.
 * Hits of equal rank are ordered by the number of words of `text` in their titles, then as the answers are. So a world
 * cannot raise a hit above its rank. Of several answers of one world only the first counts; the others become `same`.
 * Call it again when more answers have arrived.
 */
export function merge(
  answers: readonly WorldAnswer[],
  { text = '', limit = 20 }: { text?: string | undefined; limit?: number | undefined } = {},
): Merged {
  const origins = new Map<string, string>()
  const worlds = answers.map((answer): WorldAnswer => {
    if (!answer.world || !isPresent(answer)) return answer
    const identity = identityOf(answer.world)
    const as = origins.get(identity)
    if (as !== undefined) return { ...answer, state: 'same', as, hits: [] }
    origins.set(identity, answer.origin)
    return answer
  })
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const wordsIn = ({ entity: { title } }: Hit) => {
    const own = isText(title) ? title.slice(0, MAX_TITLE).toLowerCase() : ''
    return words.slice(0, MAX_WORDS).filter((word) => own.includes(word)).length
  }
  const hits = worlds
    .flatMap((answer) => answer.hits)
    .map((hit) => ({ hit, held: wordsIn(hit) }))
    .sort((a, b) => a.hit.rank - b.hit.rank || b.held - a.held)
    .slice(0, limit)
    .map(({ hit }) => hit)
  return { hits, worlds, missing: worlds.filter((one) => one.state !== 'same' && !isPresent(one)) }
}

/** Returns what two places of one world share: its API. An id does not prove anything, as any world can state any id. */
export function identityOf({ document }: World): string {
  return document.endpoints.api
}

function isPresent({ state }: WorldAnswer): boolean {
  return state === 'answered' || state === 'partial'
}
