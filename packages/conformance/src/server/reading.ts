/** Reads pages and walks lists, using the member names of the world. */
import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson } from '../http/expect.ts'
import { at, isObject, type Path, sameJson, stringsIn, written } from '../json/json.ts'
import { findNamedType, findType, idAt } from '../shapes/entities.ts'
import { type Continuation, continuationOf, findCursors, findList } from '../shapes/lists.ts'
import { pathOf } from '../shapes/names.ts'
import { entryOf, idPath, listRoute, plainList, type, types, unrecognised } from './subjects.ts'
import type { Target } from './target.ts'

/** A parsed page of a list. */
export interface Listing {
  readonly type: string
  /** Query of the request, with its `?`; empty if there is none. */
  readonly query: string
  readonly exchange: Exchange
  readonly body: unknown
  /** Path to the array of entries in `body`. */
  readonly path: Path
  readonly entries: readonly unknown[]
}

/** Maximum number of types whose lists are read. */
const MOST_TYPES = 8
const MOST_PAGES = 120
/** Maximum number of consecutive empty pages. A walk with more is considered endless. */
const MOST_EMPTY = 20

/** Reads a page of a type's list. Fails unless the response is 2xx JSON; throws NotAsked if its array is not recognised. */
export async function readListing(target: Target, name: string, query = ''): Promise<Listing> {
  const exchange = await (query === '' ? plainList(target, name) : target.call(listRoute(name, query)))
  const body = expectJson(exchange)
  const given = pathOf(target.options.names?.entities)
  const path = given ?? findList(body) ?? (await usualPath(target, name, body))
  const found = at(body, path)
  // Some languages serialize an empty list as `null`, or omit it.
  const empty = found === null || (found === undefined && given === undefined && isObject(body))
  demand(empty || Array.isArray(found), `the list has no array in ${written(path)}`, exchange)
  const entries = empty ? [] : (found as unknown[]).map((entry) => entryOf(target, entry))
  return { type: name, query, exchange, body, path, entries }
}

/** Returns the path to the entries for a page that does not reveal it, taken from a list read without a query. */
async function usualPath(target: Target, name: string, body: unknown): Promise<Path> {
  for (const other of new Set([name, await type(target)])) {
    const path = findList((await plainList(target, other)).json)
    if (path !== undefined) return path
  }
  throw unrecognised(body, 'the array of entities', 'entities')
}

/** Reads the list under test, without a query. */
export async function listing(target: Target): Promise<Listing> {
  return readListing(target, await type(target))
}

/** Reads the lists of the first types, without a query. Skips those that cannot be read. */
export function listings(target: Target): Promise<Listing[]> {
  return target.once('listings', async () => {
    const found: Listing[] = []
    const chosen = target.options.type === undefined ? await types(target) : [target.options.type]
    for (const name of chosen.slice(0, MOST_TYPES))
      await addTo(found, async () => [await readListing(target, name)])
    return found
  })
}

/** Returns the pages seen in several lists: the first of each, with the usual limit and a large one, and those of a walk. */
export function seenPages(target: Target): Promise<Listing[]> {
  return target.once('seen pages', async () => {
    const pages = [...(await listings(target))]
    for (const { type: name } of [...pages])
      await addTo(pages, async () => [await readListing(target, name, '?limit=100')])
    await addTo(pages, async () => (await walk(target, undefined, MOST_WALKED)).pages)
    return pages
  })
}

/** Adds the pages that `read` returns. Adds nothing if it fails, because other checks report that. */
async function addTo(pages: Listing[], read: () => Promise<readonly Listing[]>): Promise<void> {
  try {
    pages.push(...(await read()))
  } catch {
    // A page that cannot be read, or a list that cannot be walked.
  }
}

/** An entity on a page of its list. */
export interface Seen {
  readonly page: Listing
  readonly entry: unknown
  readonly id: string
}

/** Returns every entity on the seen pages, once each. Throws NotAsked if no id is recognised. */
export function seenEntities(target: Target): Promise<Seen[]> {
  return target.once('listed entities', async () => {
    const path = await idPath(target)
    const found = (await seenPages(target)).flatMap((page) =>
      page.entries.map((entry) => ({ page, entry, id: idAt(entry, path) ?? '' })),
    )
    const named = found.filter(({ id }) => id !== '')
    if (named.length === 0) throw new NotAsked('no list names an entity', { option: '--type' })
    return [...new Map(named.map((one) => [`${one.page.type} ${one.id}`, one])).values()]
  })
}

/** Returns the path of the member that names the type of an entity; undefined if there is no such member. */
export function typePath(target: Target): Promise<Path | undefined> {
  return target.once('type path', async () => {
    const given = pathOf(target.options.names?.type)
    if (given !== undefined) return given
    const read = await listings(target)
    for (const { type: name, entries } of read)
      for (const entry of entries.slice(0, 3)) {
        const path = findType(entry, name)
        if (path !== undefined) return path
      }
    const filled = read.find(({ entries }) => entries.length > 0)
    return findNamedType(filled?.entries[0], await types(target))
  })
}

/** The list used to test pagination: its type, the path of its cursor, and its first page. */
export interface Paging {
  readonly type: string
  readonly cursor: Path
  /** The first page of the list. */
  readonly first: Listing
  /** Limit with which `first` was requested; undefined if the world ignores a limit of 1. */
  readonly limit: number | undefined
}

/** Finds a list with several pages and its cursor member, once per run. Fails if a list continues without a cursor. */
export function paging(target: Target): Promise<Paging> {
  return target.once('paging', async () => {
    const oddness = ({ entries }: Listing) => Math.abs(entries.length - IDEAL)
    const several = (await listings(target)).filter(({ entries }) => entries.length >= 2)
    several.sort((a, b) => oddness(a) - oddness(b))
    if (several.length === 0) throw new NotApplicable('no list of this world has two entities')
    let last: Listing | undefined
    for (const plain of several.slice(0, 3)) {
      const one = await readListing(target, plain.type, '?limit=1')
      const keeps = one.entries.length <= 1
      const first = keeps ? one : plain
      const cursor = await cursorPath(target, first, keeps ? '?limit=1&' : '?')
      if (cursor !== undefined) return { type: plain.type, cursor, first, limit: keeps ? 1 : undefined }
      if (keeps) last = first
    }
    if (last === undefined)
      throw new NotApplicable('every list of this world comes as one page, whatever its limit')
    const { body, path, exchange } = last
    const beside = stringsIn(without(body, path)).filter((text) => text !== '')
    const some =
      beside.some((text) => !isName(body, text)) || /cursor|next/i.test(JSON.stringify(exchange.fields))
    demand(some, 'a page of one of several entities holds nothing that could be a cursor', exchange)
    throw unrecognised(body, 'the cursor of the next page', 'cursor')
  })
}

/** Preferred number of entities in the list to walk: enough to be informative without many requests. */
const IDEAL = 12

function without(body: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return undefined
  return isObject(body) ? { ...body, [name]: without(body[name], rest) } : body
}

function isName(body: unknown, text: string): boolean {
  return isObject(body) && JSON.stringify(body).includes(`${JSON.stringify(text)}:`)
}

async function cursorPath(target: Target, page: Listing, query: string): Promise<Path | undefined> {
  const given = pathOf(target.options.names?.cursor)
  if (given !== undefined) return given
  const candidates = findCursors(page.body, page.path)
  const usual = await readListing(target, page.type)
  const likely = [...candidates, ...findCursors(usual.body, usual.path)].find((one) => one.likely)
  if (likely !== undefined) return likely.path
  // If no name suggests a cursor, take the member whose value leads to a page with other entities.
  for (const { path } of candidates.slice(0, 5)) {
    const value = encodeURIComponent(String(at(page.body, path)))
    const exchange = await target.call(listRoute(page.type, `${query}cursor=${value}`))
    const entries = at(exchange.json, page.path)
    if (exchange.status !== 200 || !Array.isArray(entries) || entries.length === 0) continue
    if (!sameJson(entries[0], page.entries[0])) return path
  }
  return undefined
}

/** Maximum number of entities in one walk: enough to detect a lost entity, without straining a live world. */
export const MOST_WALKED = 100

/** A walk through the pages of a list. */
export interface Walk {
  readonly pages: readonly Listing[]
  /** Keys of the entities on all pages, in order. */
  readonly keys: readonly string[]
  /** Reason why the walk ended: the last page, a cycle, or a limit of the kit. */
  readonly end: 'last' | 'circle' | 'cut'
  /** Descriptions of unusual cursors and list ends. */
  readonly oddities: readonly string[]
}

/** Walks the list that `paging` found, to its end or for `most` entities. Calls with the same arguments share one walk. */
export function walk(target: Target, limit: number | undefined, most: number): Promise<Walk> {
  return target.once(`walk ${limit} ${most}`, async () => {
    const { type: name, cursor: path } = await paging(target)
    const size = limit === undefined ? [] : [`limit=${limit}`]
    const pages: Listing[] = []
    const seen = new Set<string>()
    const oddities = new Set<string>()
    const keys: string[] = []
    const done = (end: Walk['end']): Walk => ({ pages, keys, end, oddities: [...oddities] })
    let next: Continuation = { cursor: undefined, oddity: undefined }
    for (let empty = 0; ; ) {
      const place = next.cursor === undefined ? [] : [`cursor=${encodeURIComponent(next.cursor)}`]
      const query = [...size, ...place].join('&')
      const page = await readListing(target, name, query && `?${query}`)
      pages.push(page)
      for (const entry of page.entries) keys.push(await keyOf(target, entry))
      const before = next.cursor
      next = continuationOf(page.body, path)
      if (next.oddity !== undefined) oddities.add(next.oddity)
      if (next.cursor === undefined) return done('last')
      if (next.cursor === before && page.entries.length === 0) {
        oddities.add('the list ends with an empty page and the cursor that led to it')
        return done('last')
      }
      empty = page.entries.length === 0 ? empty + 1 : 0
      if (seen.has(next.cursor) || empty > MOST_EMPTY) return done('circle')
      seen.add(next.cursor)
      if (keys.length >= most || pages.length >= MOST_PAGES) return done('cut')
    }
  })
}

/** Returns a key for comparing entries: the id of the entry, or its JSON if its id is unknown. */
export async function keyOf(target: Target, entry: unknown): Promise<string> {
  try {
    return idAt(entry, await idPath(target)) ?? JSON.stringify(entry)
  } catch (thrown) {
    if (thrown instanceof NotAsked) return JSON.stringify(entry)
    throw thrown
  }
}
