/**
 * Lists in response bodies, and the cursors of their next pages.
 */
import { attempt, fail } from '../error.ts'
import { type EntityList, isObject } from '../protocol.ts'
import { entityFrom, isOurs } from './entity.ts'
import { candidates, type Found, find, isBranch, isKey, type Known, membersIn } from './find.ts'
import { type Envelope, noteInterpretation, partsOf } from './interpretation.ts'

/** Names of cursors: of the next page, of any cursor, and all names but those that end like names of other things. */
export const CURSORS = [
  /^(?!prev|before|headerretry).*(next|after|contin|endcursor)|^headerlink$/,
  /^(?!prev|before).*(cursor|token)/,
  /^(?!header|.*(prev|before)|.*(first|last|self|limit|total|size|count|type|kind|version)$)/,
] as const

/** Converts a body and its headers to a page with our names. The members of `body` are kept unchanged. */
export function pageFrom(
  body: unknown,
  names: Known,
  type?: string,
  before?: EntityList,
  response?: Envelope,
): EntityList {
  const [entities] = listsIn(body, names)
  if (!entities) fail('invalid_response', { members: pathsIn(body) })
  // The member that contained the previous cursor is used again, since other members may repeat the request's cursor.
  const followed = partsOf(before)['cursor']
  const cursors = cursorsIn(body, response, followed ? { cursor: followed.path } : names)
  const items = entities.value.map((item) => entityFrom(item, names, type))
  // If the entities have our names too, our cursor without a value marks the end, whatever names other members have.
  const named =
    cursors.find(({ value, certainty }) => isKey(value) || (certainty === 'ours' && items.every(isOurs))) ??
    cursors[0]
  // Parts of a page that are no lists, such as its facets, may have a mark of their own.
  const isMark = (value: unknown, path: string): value is boolean => {
    const around = path.replace(/[^.]*$/, '')
    return typeof value === 'boolean' && (entities.path.startsWith(around) || /meta|pag/i.test(around))
  }
  const more = find(body, isMark, /^has(next|more)|^more$/)
  const cursor = more?.value === false ? more : named
  const isCursor = isKey(cursor?.value)
  // A list with several pages has more entities than one page.
  const isTotal = (value: unknown): value is number =>
    isKey(value) &&
    Number.isInteger(value.valueOf()) &&
    !((isCursor || before) && +value <= entities.value.length)
  const [total] = candidates(body, isTotal, [/^total(?!page)|total$/, /^count$/], names, 'total')
  const page = {
    ...(isObject(body) && body),
    entities: items,
    nextCursor: isCursor ? cursorFrom(`${cursor?.value}`, response?.url) : undefined,
    total: total && Number(total.value),
  }
  const followedCursor = cursor && { ...cursor, certainty: (followed ?? cursor).certainty }
  return noteInterpretation(
    page as EntityList,
    body,
    { entities, cursor: followedCursor, total, more },
    response,
  )
}

/**
 * Returns candidates for the list in a body, likeliest first: the body itself, members with known names, the other arrays of
 * objects. Several arrays without a known name are no candidates, as any of them could be the list.
 */
export function listsIn(body: unknown, names: Known = {}): Found<unknown[]>[] {
  const ours = Array.isArray(body) ? '' : 'entities'
  const named = [/^item/, /^result/, /^(data|hits|match|member$|value$|edges)/]
  const found = candidates(body, isList, named, names, 'entities', ours)
  const others = candidates(body, isList, [/^/], names, 'entities', ours)
  return found[0] || others[1] ? found : others
}

/** Returns the paths of at most 99 members of a body. */
export function pathsIn(body: unknown): string[] {
  return membersIn(body)
    .slice(0, 99)
    .map(({ path }) => path)
}

/**
 * Returns the members of a page and of its headers that may be its cursor (a text or a number) or mark its end (null, an empty
 * text or `false`), likeliest first. The path of a header begins with `header:`; `header:link` is the link to the next page,
 * or null.
 */
export function cursorsIn(
  body: unknown,
  response?: Envelope,
  names: Known = {},
  likely: readonly RegExp[] = CURSORS.slice(0, 2),
): Found[] {
  const members: Record<string, unknown> = { ...(isObject(body) && body) }
  // Links may be in an array, such as `[{ rel: 'next', href }]`.
  for (const { rel, href } of [members['links']].flat().map(Object)) members[`links.${rel}`] = href
  response?.headers.forEach((value, name) => {
    const next = /<([^>]*)>[^<]*;\s*rel="?([^"<]*\s)?next["\s;,]/i.exec(`${value},`)?.[1]
    const target = next === undefined ? null : (attempt(() => new URL(next, response.url).href) ?? next)
    members[`header:${name}`] = name === 'link' ? target : value
  })
  const isRight = (value: unknown): value is unknown =>
    !names.declared?.includes(value as string) && (isKey(value) || (!value && value !== undefined))
  return candidates(members, isRight, likely, names, 'cursor', 'nextCursor')
}

/**
 * Returns the cursor to send. If `text` is a link, that is its `cursor` parameter, else its absolute URL: the `fetch` of the
 * world requests that URL instead.
 */
export function cursorFrom(text: string, page?: string): string {
  const url = /^(https?:\/\/|\/.*\?|\?)/.test(text) && attempt(() => new URL(text, page || undefined))
  return url ? url.searchParams.get('cursor') || url.href : text
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every(isBranch)
}
