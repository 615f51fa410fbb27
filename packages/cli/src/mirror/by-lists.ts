/** Mirrors a world by its lists: walks all of them; unchanged pages are not transferred again. */
import { type Entity, type World, WorldError } from '@worldwright/client'
import { descriptionFrom, interpretationOf, type Names } from '@worldwright/client/foreign'
import { isObject } from '@worldwright/client/protocol'
import type { LineSorter } from './line-sorter.ts'
import type { PageCache } from './page-cache.ts'
import { requireName, sortIn, type Taken } from './source.ts'

/** Entities requested per page, if the world declares that it gives as many. */
const PAGE_SIZE = 1_000

/** World whose lists are walked, and the destination of their entities. */
export interface ListsWalk {
  readonly world: World
  /** Cache that the world sends its requests through. */
  readonly cache: PageCache
  readonly sorter: LineSorter
  readonly names: Names | undefined
  /** Called with the number of entities so far. */
  readonly progress: (entities: number) => void
  readonly signal: AbortSignal
}

/**
 * Fetches every entity of every type that the world names. Entities that move between pages meanwhile may be missed, or
 * be there although they were deleted; the next run corrects this.
 * @throws WorldError as `World.entities`; `invalid_response`, `pagination_loop`
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
      await sortIn(sorter, type, entity.id, JSON.stringify(inOurNames(entity)))
    }
    // Each page has a new cursor, but no new entity.
    if (entities.length > 0 && seen.size === had)
      throw new WorldError('pagination_loop', `The list of ${type} gives the same entities again and again.`)
    progress(before + seen.size)
  }
  return seen.size
}

/** Returns an entity as received if it uses our member names, otherwise with our names. */
function inOurNames(entity: Entity): unknown {
  const body = interpretationOf(entity)?.body
  const isOurs =
    isObject(body) && body['type'] === entity.type && body['id'] === entity.id && isObject(body['attributes'])
  return isOurs ? body : entity
}

function pageSizeOf({ document: { limits } }: World): number | undefined {
  const list = isObject(limits) ? limits['list'] : undefined
  const max = isObject(list) ? list['max'] : undefined
  return typeof max === 'number' && max >= 1 ? Math.min(Math.floor(max), PAGE_SIZE) : undefined
}
