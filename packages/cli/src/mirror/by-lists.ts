/** Mirrors a world by walking all its lists. Unchanged pages are not transferred again. */
import { isDeepStrictEqual } from 'node:util'
import { type Entity, type EntityList, isWorldError, type World, WorldError } from '@worldwright/client'
import { hasRepeatedKey, jsonLineOf } from '@worldwright/client/exact'
import { interpretationOf } from '@worldwright/client/foreign'
import { isObject } from '@worldwright/client/protocol'
import { failureWords } from '@worldwright/serve/terminal'
import { requireWhole } from '../open/whole-list.ts'
import type { LineSorter } from './line-sorter.ts'
import type { PageCache } from './page-cache.ts'
import { type Meanwhile, notePage, type TypeReading, unusedInItem } from './reading.ts'
import { requireName, sortIn, type Taken } from './source.ts'

/** Maximum page size to request, even if the world allows more. */
const PAGE_SIZE = 1_000

/** Maximum number of paths of unused members that are remembered per type, as a world may use data as names. */
const MAX_UNUSED = 100

/** World whose lists are walked, and sorter that receives the entities. */
export interface ListsWalk {
  readonly world: World
  /** Declared types, ascending. */
  readonly types: readonly string[]
  /** Cache that all requests to the world go through. */
  readonly cache: PageCache
  readonly sorter: LineSorter
  /** Reads the world's discovery document again. */
  readonly again: () => Promise<World>
  /** Called with the number of entities so far. */
  readonly progress: (entities: number) => void
  readonly signal: AbortSignal
}

/** Facts that a world tells about its state, by name: its document, and entity tags and totals of its types. */
type Told = Record<string, unknown>

const TOO_DEEP = 'The list has an entity that is too large or nested too deeply to be converted.'

/** Codes of failures that end the whole run: the world does not answer, or the user interrupts. */
const GONE = ['aborted', 'network_error', 'timeout']

/**
 * Fetches all entities of the types. A type whose walk fails is skipped. If entities change during the walk, some may be
 * missed and some deleted ones included. The next run corrects this.
 * @throws WorldError with a code in `GONE`
 */
export async function takeLists(walk: ListsWalk): Promise<Taken> {
  const told: Told = { document: walk.world.document }
  const types: Record<string, TypeReading> = {}
  const etags: Record<string, string> = {}
  let entities = 0
  for (const type of walk.types) {
    try {
      types[type] = await takeType(walk, type, entities, told)
      entities += types[type].entities
      const etag = told[`etag of ${type}`]
      if (typeof etag === 'string') etags[type] = etag
    } catch (thrown) {
      // Nesting is limited by the stack, in `JSON.stringify` too.
      const error = thrown instanceof RangeError ? new WorldError('invalid_response', TOO_DEEP) : thrown
      if (!isWorldError(error) || GONE.includes(error.code)) throw error
      const { what, wayOut = '' } = failureWords(error)
      const { code, url } = error
      types[type] = { entities: 0, skipped: { code, message: `${what} ${wayOut}`.trimEnd(), url } }
    }
  }
  return {
    isAll: true,
    ...(Object.keys(etags).length > 0 && { etags }),
    types,
    pages: Object.values(types).reduce((sum, { pages = 0 }) => sum + pages, 0),
    meanwhile: await compared(walk, told),
  }
}

async function takeType(
  { world, cache, sorter, progress, signal }: ListsWalk,
  type: string,
  before: number,
  told: Told,
): Promise<TypeReading> {
  const seen = new Set<string>()
  const [used, unused] = [new Set<string>(), new Set<string>()]
  let pages = 0
  let total = 0
  for await (const page of world.entities(type, { pageSize: pageSizeOf(world) }, { signal }).pages()) {
    total = Math.max(total, page.total ?? 0)
    if (++pages === 1) note(told, type, cache, page)
    const had = seen.size
    const lines = new Map<string, string>()
    for (const entity of page.entities) {
      requireName(entity.type, entity.id, world.origin)
      if (entity.type !== type)
        throw new WorldError('invalid_response', `The list of ${type} holds an entity of ${entity.type}.`)
      const line = lineOf(entity, unused)
      const { id } = entity
      const isGuess = interpretationOf(entity)?.found['id']?.certainty === 'likely'
      // The list may move during the walk, so that an entity is on two pages. A guessed id may be another member.
      if ((isGuess && seen.has(id)) || (lines.get(id) ?? line) !== line) {
        const message = `The list of ${type} has several entities with the id ${id}. If that is no id, name it: --names id=PATH`
        throw new WorldError('invalid_response', message)
      }
      seen.add(id)
      lines.set(id, line)
      await sortIn(sorter, type, id, line)
    }
    // The page has a new cursor but no new entity, so the walk might never end.
    if (page.entities.length > 0 && seen.size === had)
      throw new WorldError('pagination_loop', `The list of ${type} gives the same entities again and again.`)
    notePage(page, used, unused)
    progress(before + seen.size)
  }
  requireWhole(type, seen.size, total)
  const left = [...unused.difference(used)].slice(0, MAX_UNUSED)
  return { entities: seen.size, pages, ...(left.length > 0 && { unused: left }) }
}

/**
 * Returns the JSON of an entity: as received if it uses our member names, otherwise converted to them. Adds the paths of lost
 * members to `unused`.
 * @throws WorldError `invalid_response` if the conversion would lose a repeated key, or members and all attributes
 */
function lineOf(entity: Entity, unused: Set<string>): string {
  const { type, id } = entity
  const body = interpretationOf(entity)?.body
  if (isObject(body) && body['type'] === type && body['id'] === id && isObject(body['attributes']))
    return jsonLineOf(body)
  if (hasRepeatedKey(body)) {
    const message = `The entity ${type} ${id} has a key twice, and its conversion would lose one of the values. Tell the operator of the world.`
    throw new WorldError('invalid_response', message, { details: { type, id } })
  }
  const lost = unusedInItem(entity)
  if (lost.length > 0 && Object.keys(entity.attributes).length === 0)
    throw new WorldError(
      'invalid_response',
      `No attributes were recognised in ${id} of ${type}. Its members: ${lost.join(', ')}. Name them: --names attributes=PATH`,
    )
  for (const path of lost) unused.add(path)
  return jsonLineOf(entity)
}

function note(told: Told, type: string, { etag }: PageCache, { total }: EntityList): void {
  Object.assign(told, { [`etag of ${type}`]: etag, [`total of ${type}`]: total })
}

/** Reads the document and the first pages again, and compares them with `told`. */
async function compared({ world, types, cache, again, signal }: ListsWalk, told: Told): Promise<Meanwhile> {
  const now: Told = {}
  const limit = pageSizeOf(world)
  try {
    now['document'] = (await again()).document
    for (const type of types)
      if (`etag of ${type}` in told) note(now, type, cache, await world.list(type, { limit }, { signal }))
  } catch (error) {
    if (!isWorldError(error) || signal.aborted) throw error
    return { changed: null, by: [] }
  }
  const differs = Object.keys(now).filter((name) => !isDeepStrictEqual(now[name], told[name]))
  const isMute = types.some(
    (type) => told[`etag of ${type}`] === undefined && told[`total of ${type}`] === undefined,
  )
  if (differs.length > 0) return { changed: true, by: differs }
  return { changed: isMute ? null : false, by: Object.keys(told).filter((name) => told[name] !== undefined) }
}

function pageSizeOf({ document: { limits } }: World): number | undefined {
  const list = isObject(limits) ? limits['list'] : undefined
  const max = isObject(list) ? list['max'] : undefined
  return typeof max === 'number' && max >= 1 ? Math.min(Math.floor(max), PAGE_SIZE) : undefined
}
