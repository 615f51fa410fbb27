/**
 * Lists in answers, and the cursors of their next pages.
 */
import { fail } from '../error.ts'
import type { EntityList } from '../protocol.ts'
import { isObject } from '../protocol.ts'
import { entityFrom } from './entity.ts'
import { type Found, find, isBranch, isKey, membersIn } from './find.ts'
import { interpretationOf, noteInterpretation } from './interpretation.ts'
import type { Names } from './names.ts'

/** Returns the answer to a list request in our names, with its own members unchanged. */
export function pageFrom(body: unknown, names: Names, type?: string, before?: EntityList): EntityList {
  const entities = listIn(body, names.entities)
  // The member followed before holds the next cursor: other members may repeat the cursor of the request.
  const followed = before && interpretationOf(before)?.found['cursor']?.path
  const finished = find(body, isFalse, /^has(next|more)|^more$/, 'hasMore')
  const cursor = finished ?? cursorIn(body, names.cursor ?? followed)
  const total = find(
    body,
    Number.isInteger as (value: unknown) => value is number,
    /^total(?!page)|total$/,
    'total',
    names.total,
  )
  const page = {
    ...(isObject(body) && body),
    entities: entities.value.map((item) => entityFrom(item, names, type)),
    nextCursor: isKey(cursor?.value) ? cursorFrom(`${cursor.value}`) : undefined,
    total: total?.value,
  }
  return noteInterpretation(page as EntityList, body, { entities, cursor, total })
}

/**
 * Finds the list in an answer: at the path given, the answer itself, under our name or another known one, or the only array
 * of objects. None: `invalid_response`, details `members`, the names that were there.
 */
function listIn(body: unknown, given?: string): Found<unknown[]> {
  const ours = Array.isArray(body) ? '' : 'entities'
  const [only, more] = membersIn(body).filter(({ value }) => isList(value))
  const at = (likely: RegExp) => find(body, isList, likely, ours, given)
  const found = at(/^item/) ?? at(/^result/) ?? at(/^(data|hits|match)/)
  if (found) return found
  if (given !== undefined || !only || more) fail('invalid_response', { members: pathsIn(body) })
  return { ...only, certainty: 'likely' } as Found<unknown[]>
}

/** Returns the paths of the members of an answer, at most 99 of them. */
export function pathsIn(body: unknown): string[] {
  return membersIn(body)
    .slice(0, 99)
    .map(({ path }) => path)
}

/**
 * Finds the member of an answer that says how to continue: a text or a number is the cursor of the next page; null, an empty
 * text or `false` marks the last page. `undefined`: none was recognised.
 */
function cursorIn(body: unknown, given?: string): Found | undefined {
  const named = (likely: RegExp) =>
    find<unknown>(body, isKey, likely, 'nextCursor', given) ?? find(body, isOver, likely, 'nextCursor', given)
  return named(/^(?!prev|before).*(next|after|contin|endcursor)/) ?? named(/^(?!prev|before).*(cursor|token)/)
}

/** Returns a cursor as it is sent back: for the URL of the next page, its parameter `cursor`. */
function cursorFrom(text: string): string {
  return new URLSearchParams(text.split('?')[1]).get('cursor') || text
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isBranch)
}

function isOver(value: unknown): value is null | '' | false {
  return value === null || value === '' || isFalse(value)
}

function isFalse(value: unknown): value is false {
  return value === false
}
