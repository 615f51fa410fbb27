/** Mirrors a world by walking all its lists. Unchanged pages are not transferred again. */
import { type Entity, type World, WorldError } from '@worldwright/client'
import { hasRepeatedKey, jsonLineOf } from '@worldwright/client/exact'
import { descriptionFrom, interpretationOf, type Names } from '@worldwright/client/foreign'
import { isObject } from '@worldwright/client/protocol'
import type { LineSorter } from './line-sorter.ts'
import type { PageCache } from './page-cache.ts'
import { requireName, sortIn, type Taken } from './source.ts'

/** Maximum page size to request, even if the world allows more. */
const PAGE_SIZE = 1_000

/** World whose lists are walked, and sorter that receives the entities. */
export interface ListsWalk {
  readonly world: World
  /** Cache that all requests to the world go through. */
  readonly cache: PageCache
  readonly sorter: LineSorter
  readonly names: Names | undefined
  /** Called with the number of entities so far. */
  readonly progress: (entities: number) => void
  readonly signal: AbortSignal
}

/**
 * Fetches all entities of all types that the world declares. If entities change during the walk, some entities may be missed
 * and some deleted ones included. The next run corrects this.
 * @throws WorldError as `World.entities`; `invalid_response`, also for a repeated key; `pagination_loop`
 */
export async function takeLists(walk: ListsWalk): Promise<Taken> {
  const { world, names } = walk
  const types = descriptionFrom(world.document, names).entityTypes?.value
  if (!types)
    throw new WorldError(
      'invalid_response',
      'Which types this world has is not recognised: --names types=PATH',
    )
  const etags: Record<string, string> = {}
  let entities = 0
  for (const { type } of types.toSorted((one, other) => (one.type < other.type ? -1 : 1)))
    entities += await takeType(walk, type, etags, entities)
  return { isAll: true, ...(Object.keys(etags).length > 0 && { etags }) }
}

async function takeType(
  { world, cache, sorter, progress, signal }: ListsWalk,
  type: string,
  etags: Record<string, string>,
  before: number,
): Promise<number> {
  const seen = new Set<string>()
  for await (const { entities } of world
    .entities(type, { pageSize: pageSizeOf(world) }, { signal })
    .pages()) {
    if (seen.size === 0 && cache.etag !== undefined) etags[type] = cache.etag
    const had = seen.size
    for (const entity of entities) {
      requireName(entity.type, entity.id, world.origin)
      if (entity.type !== type)
        throw new WorldError('invalid_response', `The list of ${type} holds an entity of ${entity.type}.`)
      seen.add(entity.id)
      await sortIn(sorter, type, entity.id, lineOf(entity))
    }
    // The page has a new cursor but no new entity, so the walk might never end.
    if (entities.length > 0 && seen.size === had)
      throw new WorldError('pagination_loop', `The list of ${type} gives the same entities again and again.`)
    progress(before + seen.size)
  }
  return seen.size
}

/** Returns the JSON of an entity: as received if it uses the specification's member names, otherwise converted to them. */
function lineOf(entity: Entity): string {
  const { type, id } = entity
  const body = interpretationOf(entity)?.body
  if (isObject(body) && body['type'] === type && body['id'] === id && isObject(body['attributes']))
    return jsonLineOf(body)
  if (!hasRepeatedKey(body)) return jsonLineOf(entity)
  const message = `The entity ${type} ${id} has a key twice, and its conversion would lose one of the values. Tell the operator of the world.`
  throw new WorldError('invalid_response', message, { details: { type, id } })
}

function pageSizeOf({ document: { limits } }: World): number | undefined {
  const list = isObject(limits) ? limits['list'] : undefined
  const max = isObject(list) ? list['max'] : undefined
  return typeof max === 'number' && max >= 1 ? Math.min(Math.floor(max), PAGE_SIZE) : undefined
}
