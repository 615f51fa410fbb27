/** Finds the entities and the cursor in a list response regardless of their names. */
import { at, isObject, type Member, membersOf, type Path } from '../json/json.ts'

/** Names that the array of entities in a response may have, most likely first. */
const LISTS =
  /^(entities|items|results|data|matches|hits|records|list|rows|values|nodes|content|found|members|elements|objects|documents|docs)$/i
/** Names of other arrays in a response. */
const BESIDE =
  /^(warnings?|errors?|links?|facets?|types?|counts?|columns|fields|sort|order|included|meta|matched|terms|words|highlights?|suggestions?|tags|schemes)$/i

/**
 * Returns the path to the entities in a response: the response itself if it is an array (the empty path), else an array
 * with a common name, else the only array of objects, else the only array. Returns undefined if there is no such array.
 */
export function findList(body: unknown): Path | undefined {
  if (Array.isArray(body)) return []
  const arrays = membersOf(body, 3).filter(
    ({ value, path }) => Array.isArray(value) && !BESIDE.test(path.at(-1) ?? ''),
  )
  const usual = arrays.filter(({ path }) => LISTS.test(path.at(-1) ?? ''))
  const objects = arrays.filter(({ value }) => (value as unknown[]).some(isObject))
  return nearest(usual) ?? only(objects) ?? only(arrays)
}

function only(members: readonly Member[]): Path | undefined {
  return members.length === 1 ? members[0]?.path : undefined
}

/** Returns the path of the outermost member. Breaks ties in favour of the likelier name. */
function nearest(members: readonly Member[]): Path | undefined {
  const names = LISTS.source.slice(2, -2).split('|')
  const rank = ({ path }: Member) => path.length * 100 + names.indexOf((path.at(-1) ?? '').toLowerCase())
  return members.toSorted((a, b) => rank(a) - rank(b))[0]?.path
}

/** A candidate for the cursor. `likely`: its name suggests a cursor. */
export interface CursorMember {
  readonly path: Path
  readonly likely: boolean
}

/** Returns candidates for the cursor of the next page, most likely first. `list` is the path to the entities. */
export function findCursors(body: unknown, list: Path): CursorMember[] {
  const beside = membersOf(body, 3).filter(
    ({ path, value }) => path.join() !== list.join() && !isAddress(value),
  )
  return beside
    .map(({ path, value }) => ({ path, value, rank: rankOf(path) }))
    .filter(({ value, rank }) => (rank < UNLIKELY ? isCursorOrEnd(value) : isText(value)) && rank >= 0)
    .sort((a, b) => placeOf(a) - placeOf(b) || a.rank - b.rank)
    .map(({ path, rank }) => ({ path, likely: rank < UNLIKELY }))
}

/** Returns the sort key of a candidate: 0 if its name and value suggest a cursor, 1 if only its name does, else 2. */
function placeOf({ rank, value }: { readonly rank: number; readonly value: unknown }): number {
  if (rank >= UNLIKELY) return 2
  return isCursor(value) ? 0 : 1
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isCursor(value: unknown): boolean {
  return isText(value) || typeof value === 'number'
}

/** Reports whether a value is a cursor or marks the end of the list. */
function isCursorOrEnd(value: unknown): boolean {
  return isCursor(value) || value === null || value === '' || value === false
}

/** Reports whether a value is a link. A link is requested as it is, so it cannot be sent as `cursor`. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)
}

const UNLIKELY = 10

/** Ranks a member by how much its name suggests a cursor. 0 is the most likely; a negative rank rules it out. */
function rankOf(path: Path): number {
  const name = path
    .join('_')
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
  const last = (path.at(-1) ?? '').toLowerCase()
  if (/prev|before|(^|_)(self|first|last|limit|size|count|total|per_page|rank|page_number)(_|$)/.test(name))
    return -1
  if (last === 'nextcursor') return 0
  if (/next/.test(name) && /cursor|token|page|key/.test(name)) return 1
  if (/cursor|continu|page_?token|next_?token/.test(name)) return 2
  if (/(^|_)(after|next|resume|more|following|start_?after|marker|bookmark)(_|$)/.test(name)) return 3
  return UNLIKELY
}

/** Information in a page about how its list continues. */
export interface Continuation {
  /** Cursor of the next page, as a string; undefined at the end of the list. */
  readonly cursor: string | undefined
  /** Description of an unusual cursor or list end; undefined if there is nothing unusual. */
  readonly oddity: string | undefined
}

/** Reads how a list continues after the page `body`, from the cursor at `path` and flags such as `hasMore`. */
export function continuationOf(body: unknown, path: Path): Continuation {
  const value = at(body, path)
  const flag = membersOf(body, 2).find(({ path: own, value: more }) => more === false && isFlag(own))
  const name = path.join('.')
  if (value === undefined || value === null) return { cursor: undefined, oddity: undefined }
  if (value === '' || value === false || value === 0)
    return { cursor: undefined, oddity: `the list ends with ${name}: ${JSON.stringify(value)}` }
  if (flag !== undefined)
    return { cursor: undefined, oddity: `the list ends with ${flag.path.join('.')}: false, beside a cursor` }
  if (typeof value === 'string') return { cursor: value, oddity: undefined }
  if (typeof value === 'number') return { cursor: String(value), oddity: `${name} is a number, no string` }
  return { cursor: undefined, oddity: `the list ends with ${name}: ${JSON.stringify(value)}` }
}

function isFlag(path: Path): boolean {
  return /^(has_?)?(more|next)(_?(page|entities|items))?$/i.test(path.at(-1) ?? '')
}
