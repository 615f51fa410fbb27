/** Mirrors a world by walking all its lists. Unchanged pages are not transferred again. */
import { isDeepStrictEqual } from 'node:util'
import { type EntityList, isWorldError, type World, WorldError } from '@worldwright/client'
import { ListReader, pageSizeOf } from '@worldwright/extensions/list-reader'
import { failureWords } from '@worldwright/serve/terminal'
import type { LineSorter } from './line-sorter.ts'
import type { PageCache } from './page-cache.ts'
import { type Meanwhile, notePage, type TypeReading } from './reading.ts'
import { sortIn, type Taken } from './source.ts'

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
  const list = new ListReader(world, type, true)
  const used = new Set<string>()
  let pages = 0
  for await (const page of list.pages(signal)) {
    if (++pages === 1) note(told, type, cache, page)
    for (const [id, line] of list.take(page)) await sortIn(sorter, type, id, line)
    notePage(page, used, list.unused)
    progress(before + list.read)
  }
  list.end()
  const left = [...list.unused.difference(used)].slice(0, MAX_UNUSED)
  return { entities: list.read, pages, ...(left.length > 0 && { unused: left }) }
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
