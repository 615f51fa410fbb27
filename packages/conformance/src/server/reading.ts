/** Reads pages and walks lists, using the member names of the world. */
import type { EntityList } from '@worldwright/client'
import { type Found, interpretationOf, type Known, pageFrom, valueAt } from '@worldwright/client/foreign'
import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson } from '../http/expect.ts'
import { isObject, objectIn, stringsIn } from '../json/json.ts'
import { type Entry, entryFrom, known, profile } from './profile.ts'
import { entriesIn, itemsIn, listRoute, plainList, type, types, unrecognised } from './subjects.ts'
import type { Target } from './target.ts'

/** A parsed page of a list. */
export interface Listing {
  readonly type: string
  /** Query of the request, with its `?`; empty if there is none. */
  readonly query: string
  readonly exchange: Exchange
  readonly body: unknown
  readonly entries: readonly Entry[]
  /** The page as the engine reads it: how the list continues. */
  readonly page: EntityList
}

/** Maximum number of types whose lists are read. */
const MOST_TYPES = 8
const MOST_PAGES = 120
/** Maximum number of consecutive empty pages. A walk with more is considered endless. */
const MOST_EMPTY = 20

/** Reads a page of a type's list. Fails unless the response is 2xx JSON; throws NotAsked if its array is not recognised. */
export async function readListing(target: Target, name: string, query = ''): Promise<Listing> {
  const exchange = await (query === '' ? plainList(target, name) : target.call(listRoute(name, query)))
  return listingIn(target, name, query, exchange)
}

async function listingIn(
  target: Target,
  name: string,
  query: string,
  exchange: Exchange,
  before?: Listing,
): Promise<Listing> {
  const body = expectJson(exchange)
  const found = await itemsIn(target, body)
  // Some languages serialize an empty list as `null`, or omit it.
  const empty = found == null && isObject(body) && (found === null || (await isUsual(target, name)))
  demand(empty || Array.isArray(found), 'the list has no array of entities', exchange)
  const names = await known(target)
  const entries = empty ? [] : (found as unknown[]).map((raw) => entryFrom(raw, names))
  const pageIn = (from: unknown, own: Known) => pageFrom(from, own, name, before?.page, exchange)
  let page: EntityList
  try {
    page = pageIn(body, names)
  } catch {
    // The engine reads no cursor beside a list that it does not recognise, such as one with null in it.
    page = pageIn({ ...objectIn(body), [NONE]: [] }, { ...names, entities: NONE })
  }
  return { type: name, query, exchange, body, entries, page }
}

/** Name of an empty list in the place of one that the engine does not recognise. */
const NONE = 'conformance-no-list'

/** Returns true if a list that was read without a query has an array at the path of the profile. Throws NotAsked if not. */
async function isUsual(target: Target, name: string): Promise<boolean> {
  for (const other of new Set([name, await type(target)]))
    if ((await entriesIn(target, (await plainList(target, other)).json)) !== undefined) return true
  throw unrecognised((await plainList(target, name)).json, 'the array of entities', 'entities')
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
  readonly entry: Entry
  readonly id: string
}

/** Returns every entity on the seen pages, once each. Throws NotAsked if no id is recognised. */
export function seenEntities(target: Target): Promise<Seen[]> {
  return target.once('listed entities', async () => {
    const found = (await seenPages(target)).flatMap((page) =>
      page.entries.flatMap((entry) => (entry.id ? [{ page, entry, id: entry.id }] : [])),
    )
    if (found.length === 0) throw new NotAsked('no list names an entity', { option: '--type' })
    return [...new Map(found.map((one) => [`${one.page.type} ${one.id}`, one])).values()]
  })
}

/** Returns the path of the member that names the type of an entity; undefined if there is no such member. */
export function typePath(target: Target): Promise<string | undefined> {
  return target.once('type path', async () => {
    const { names, proved } = await profile(target)
    if (proved.includes('type')) return names.type
    const read = await listings(target)
    const own = read.flatMap(({ type: name, entries }) =>
      entries.flatMap(({ members }) => Object.keys(members).filter((key) => members[key] === name)),
    )
    const all = await types(target)
    const isNamed = (key: string) =>
      /^(?:.*\.)?[_@$]?(type|kind|class|entity_?type|type_?name|category|of)$/i.test(key)
    const first = read.find(({ entries }) => entries.length > 0)?.entries[0]?.members ?? {}
    const other = Object.keys(first).find((key) => isNamed(key) && all.some((name) => name === first[key]))
    return own.find(isNamed) ?? own[0] ?? other
  })
}

/** Returns what an entity has at the path of its type; undefined if it has nothing there, or the path is not known. */
export function typeIn({ members }: Entry, path: string | undefined): unknown {
  return path === undefined ? undefined : valueAt(members, path)
}

/** The list used to test pagination: its type and its first page. */
export interface Paging {
  readonly type: string
  /** The first page of the list. */
  readonly first: Listing
  /** Limit with which `first` was requested; undefined if the world ignores a limit of 1. */
  readonly limit: number | undefined
}

/** Finds a list with several pages, once per run. Fails if a list continues without a cursor. */
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
      if (cursorIn(first) !== undefined) return { type: plain.type, first, limit: keeps ? 1 : undefined }
      if (keeps) last = first
    }
    if (last === undefined)
      throw new NotApplicable('every list of this world comes as one page, whatever its limit')
    const { body, entries, exchange } = last
    const own = new Set(entries.flatMap(({ raw }) => stringsIn(raw)))
    const beside = stringsIn(body).filter((text) => text !== '' && !own.has(text) && !isName(body, text))
    const some = beside.length > 0 || /cursor|next/i.test(JSON.stringify(exchange.fields))
    demand(some, 'a page of one of several entities holds nothing that could be a cursor', exchange)
    throw unrecognised(body, 'the cursor of the next page', 'cursor')
  })
}

/** Preferred number of entities in the list to walk: enough to be informative without many requests. */
const IDEAL = 12

function isName(body: unknown, text: string): boolean {
  return JSON.stringify(body).includes(`${JSON.stringify(text)}:`)
}

/** Returns the member or header by which a list continues or ends; undefined if a page has none. */
export function cursorIn({ page }: Listing): Found | undefined {
  return interpretationOf(page)?.found['cursor']
}

/** Information in a page about how its list continues. */
export interface Continuation {
  /** Cursor of the next page, as a string; undefined at the end of the list. */
  readonly cursor?: string
  /** URL of the next page, if the page gives one that has no parameter `cursor`. */
  readonly url?: string
  /** Description of an unusual cursor or list end; undefined if there is nothing unusual. */
  readonly oddity?: string
}

/** Reads how a list continues after a page. */
export function continuationOf(listing: Listing): Continuation {
  const { path = '', value } = cursorIn(listing) ?? {}
  const next = listing.page.nextCursor
  if (next === undefined) {
    const isUsual = value === undefined || value === null
    return isUsual ? {} : { oddity: `the list ends with ${path}: ${JSON.stringify(value)}` }
  }
  if (/^https?:\/\//.test(next) && URL.canParse(next))
    return { url: next, oddity: `${path} is a URL without the parameter cursor` }
  return { cursor: next, ...(typeof value === 'number' && { oddity: `${path} is a number, no string` }) }
}

/** Reads the page to which a page leads. */
export async function nextPage(
  target: Target,
  before: Listing,
  { cursor, url }: Continuation,
  size: string,
): Promise<Listing> {
  const own = `?${size}cursor=${encodeURIComponent(cursor ?? '')}`
  const [query, exchange] =
    url === undefined
      ? [own, await target.call(listRoute(before.type, own))]
      : [new URL(url).search, await target.follow(url)]
  return listingIn(target, before.type, query, exchange, before)
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
    const { type: name } = await paging(target)
    const size = limit === undefined ? '' : `limit=${limit}&`
    const pages = [await readListing(target, name, size && `?${size.slice(0, -1)}`)]
    const seen = new Set<string>()
    const oddities = new Set<string>()
    const keys: string[] = []
    const done = (end: Walk['end']): Walk => ({ pages, keys, end, oddities: [...oddities] })
    for (let empty = 0, before: string | undefined; ; ) {
      const page = pages.at(-1) as Listing
      keys.push(...page.entries.map(keyOf))
      const next = continuationOf(page)
      const place = next.cursor ?? next.url
      if (next.oddity !== undefined) oddities.add(next.oddity)
      if (place === undefined) return done('last')
      if (place === before && page.entries.length === 0) {
        oddities.add('the list ends with an empty page and the cursor that led to it')
        return done('last')
      }
      empty = page.entries.length === 0 ? empty + 1 : 0
      if (seen.has(place) || empty > MOST_EMPTY) return done('circle')
      seen.add(place)
      if (keys.length >= most || pages.length >= MOST_PAGES) return done('cut')
      pages.push(await nextPage(target, page, next, size))
      before = place
    }
  })
}

/** Returns a key for comparing entries: the id of the entry, or its JSON if its id is unknown. */
export function keyOf({ id, raw }: Entry): string {
  return id ?? JSON.stringify(raw)
}
