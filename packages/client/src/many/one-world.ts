/**
 * The answer of one world, checked, or the reason why there is none.
 */
import { isText, type WorldError } from '../error.ts'
import { type Entity, isObject } from '../protocol.ts'
import { entitiesIn } from '../reader.ts'
import type { World } from '../world.ts'
import type { Hit, WorldAnswer, WorldState } from './merge.ts'

/** Entities that were asked for. */
export interface Question {
  readonly types?: readonly string[] | undefined
  readonly text?: string | undefined
  readonly limit: number
}

/**
 * Converts the output of an action to an answer with at most `limit` different entities of the requested types. If others
 * had to be left out, the answer is `partial`. Throws `invalid_response` if `output` has no entity list.
 */
export function answerFrom(
  output: unknown,
  origin: string,
  world: World,
  { types = [], limit }: Question,
): WorldAnswer {
  const { entities, total, partial } = entitiesIn<Output>(output)
  const hits = new Map<string, Hit>()
  let isPartial = partial === true
  for (const [index, entity] of entities.slice(0, limit).entries()) {
    const rank = index + 1
    const isHit = isEntity(entity) && (!types[0] || types.includes(entity.type))
    const key = isHit && JSON.stringify([entity.type, entity.id])
    if (key && !hits.has(key))
      hits.set(key, { entity, origin, worldId: world.id, rank, score: 1 / (60 + rank) })
    else isPartial = true
  }
  return {
    origin,
    state: isPartial ? 'partial' : 'answered',
    hits: [...hits.values()],
    total: Number.isSafeInteger(total) && Number(total) >= 0 ? Number(total) : undefined,
    world,
  }
}

interface Output {
  entities: Entity[]
  total?: unknown
  partial?: unknown
}

function isEntity(value: unknown): value is Entity {
  return isObject(value) && isText(value['type']) && isText(value['id']) && isObject(value['attributes'])
}

/** Returns the state of a world that did not answer. `world` is undefined if its discovery document could not be read. */
export function stateOf({ code, status }: WorldError, world: World | undefined): WorldState {
  if (code === 'timeout' || code === 'aborted') return 'late'
  if (code === 'network_error' || status >= 500) return 'unreachable'
  if (code === 'unsupported_extension') return 'unsupported'
  if (code === 'insecure_endpoint' || code === 'world_mismatch') return 'refused'
  if (/^(invalid_response|response_too_large)$/.test(code)) return 'broken'
  if (!world) return 'not_a_world'
  return status >= 400 ? 'refused' : 'broken'
}
