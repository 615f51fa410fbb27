/** Finding the entities and the cursor in the answer of a list, whatever their names. */
import { at, isObject, type Member, membersOf, type Path } from './json.ts'

/** Names of the entities in answers, the likeliest first. */
const LISTS =
  /^(entities|items|results|data|matches|hits|records|list|rows|values|nodes|content|found|members|elements|objects|documents|docs)$/i
/** Names of arrays beside the entities that hold other data. */
const BESIDE =
  /^(warnings?|errors?|links?|facets?|types?|counts?|columns|fields|sort|order|included|meta|matched|terms|words|highlights?|suggestions?|tags|schemes)$/i

/**
 * Returns the path to the entities of an answer: the only array, else one with a usual name, else the only one of objects.
 * The empty path is the answer itself; undefined if the choice is ambiguous.
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

/** Returns the path of the outermost member; of several at the same depth, that with the likeliest name. */
function nearest(members: readonly Member[]): Path | undefined {
  const names = LISTS.source.slice(2, -2).split('|')
  const rank = ({ path }: Member) => path.length * 100 + names.indexOf((path.at(-1) ?? '').toLowerCase())
  return members.toSorted((a, b) => rank(a) - rank(b))[0]?.path
}

/** A member that may be the cursor. `likely`: its name suggests it. */
export interface CursorMember {
  readonly path: Path
  readonly likely: boolean
}

/** Finds members that may hold the cursor of the next page, the likeliest first. `list` is the path of the entities. */
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

/** Returns the sort key of a candidate: members named like a cursor first, those that hold one now before the others. */
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

/** Reports whether a value is a cursor, or a sign that the list has ended. */
function isCursorOrEnd(value: unknown): boolean {
  return isCursor(value) || value === null || value === '' || value === false
}

/** Reports whether a value is a link: clients follow it as it is, so it is no value for `cursor`. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(https?:\/\/|\/|\?)/.test(value)
}

const UNLIKELY = 10

/** Ranks a member as the cursor, by its name: 0 is the likeliest, below 0 is never one. */
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

/** Continuation of a page, as a list shows it. */
export interface Continuation {
  /** The cursor as text; undefined at the end of the list. */
  readonly cursor: string | undefined
  /** Description of an unusual cursor, or an unusual end. */
  readonly oddity: string | undefined
}

/** Reads the continuation of a page from the member that is known to hold the cursor. */
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
