/** Calls the discovery action and reads its responses, using the member names of the world. */
import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson } from '../http/expect.ts'
import { at, type JsonObject, membersOf, type Path, written } from '../json/json.ts'
import { findNamedType, idAt, isPlain, typeBeside, unwrapped } from '../shapes/entities.ts'
import { findList } from '../shapes/lists.ts'
import { pathOf } from '../shapes/names.ts'
import { keyOf, typePath } from './reading.ts'
import { entryOf, getEntity, idPath, types, unrecognised } from './subjects.ts'
import type { Target } from './target.ts'

/** Entities that the action found, and the exchange that returned them. */
export interface Finding {
  readonly exchange: Exchange
  readonly entries: readonly unknown[]
}

/** Returns the response of the action to an input, which is sent once per run. */
export function asked(target: Target, input: JsonObject): Promise<Exchange> {
  return target.once(`search ${JSON.stringify(input)}`, () => target.discover({ input }))
}

/** Calls the action, at most once per run for each input. Fails unless the response is successful JSON. */
export async function search(target: Target, input: JsonObject): Promise<Finding> {
  const exchange = await asked(target, input)
  const body = expectJson(exchange)
  const path = await foundPath(target)
  const entries = at(body, path) ?? []
  demand(Array.isArray(entries), `the answer has no array in ${written(path)}`, exchange)
  return { exchange, entries: entries.map((entry) => entryOf(target, entry)) }
}

/** Returns the path to the entities in responses of the action. Throws NotAsked if the kit does not recognise it. */
function foundPath(target: Target): Promise<Path> {
  return target.once('found path', async () => {
    const given = pathOf(target.options.names?.results)
    if (given !== undefined) return given
    const exchange = await asked(target, {})
    const body = expectJson(exchange)
    const path = findList(body)
    if (path === undefined) throw unrecognised(body, 'the array of what was found', 'results')
    return path
  })
}

/** Calls the action with an empty input. Throws NotApplicable if it finds nothing. */
export async function everything(target: Target): Promise<Finding> {
  const found = await search(target, {})
  if (found.entries.length === 0) throw new NotApplicable('without a filter the action finds nothing')
  return found
}

/** Returns the type that a search result names, or else a type under which its id can be requested, or undefined. */
export async function typeOfFound(target: Target, entry: unknown): Promise<string | undefined> {
  const known = await types(target)
  const entity = unwrapped(entry)
  const path = (await typePath(target)) ?? findNamedType(entry, known)
  const own = path === undefined ? undefined : at(entity, path)
  if (typeof own === 'string') return own
  const beside = typeBeside(entry, known)
  if (beside !== undefined) return beside
  const id = idAt(entry, await idPath(target))
  // Skip ids that need escaping in a path, because a failure could then have a different cause.
  if (id === undefined || !isPlain(id)) return undefined
  for (const type of known.slice(0, 5)) {
    const { status, json } = await getEntity(target, type, id)
    if (status === 200 && (await keyOf(target, json)) === id) return type
  }
  return undefined
}

/** Returns the words of three letters or more in the titles of `entries`, as often as they stand there. */
export function wordsOf(target: Target, entries: readonly unknown[]): string[] {
  const given = written(pathOf(target.options.names?.title) ?? [])
  const titles = entries.flatMap((entry) =>
    membersOf(unwrapped(entry), 1).filter(
      ({ path, value }) =>
        (written(path) === given || /^(title|name|label|display_?name)$/i.test(path.at(-1) ?? '')) &&
        typeof value === 'string',
    ),
  )
  return titles.flatMap(({ value }) => String(value).match(/\p{L}{3,}/gu) ?? [])
}

/** Returns the longest word in the titles of `entries`. Throws NotApplicable if there is none. */
export function wordOf(target: Target, entries: readonly unknown[]): string {
  const [longest] = wordsOf(target, entries).toSorted((a, b) => b.length - a.length)
  if (longest === undefined) throw new NotApplicable('no entity has a title with a word in it')
  return longest
}

/** Returns two types whose entities the action finds. Throws NotAsked if no type is known, NotApplicable if too few are. */
export async function twoTypes(target: Target): Promise<readonly [string, string]> {
  const known = await types(target)
  const filled: string[] = []
  for (const type of known.slice(0, 8)) {
    const { entries } = await search(target, { types: [type] })
    if (entries.length > 0) filled.push(type)
    if (filled[0] !== undefined && filled[1] !== undefined) return [filled[0], filled[1]]
  }
  if (known.length > 1) throw new NotApplicable('the action finds entities of one type alone')
  if (known.length === 1) throw new NotApplicable('the world has only one type')
  throw new NotAsked('no two types are known', { option: '--names entityTypes=...' })
}
