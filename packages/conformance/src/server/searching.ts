/** Calls the discovery action and reads its responses, using the member names of the world. */
import { valueAt } from '@worldwright/client/foreign'
import { NotApplicable, NotAsked } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson } from '../http/expect.ts'
import { at, type JsonObject } from '../json/json.ts'
import { type Entry, entryFrom, known, listPathIn } from './profile.ts'
import { keyOf, typeIn, typePath } from './reading.ts'
import { getEntity, isPlain, types, unrecognised } from './subjects.ts'
import type { Target } from './target.ts'

/** Entities that the action found, and the exchange that returned them. */
export interface Finding {
  readonly exchange: Exchange
  readonly entries: readonly Entry[]
}

/** Returns the response of the action to an input, which is sent once per run. */
export function asked(target: Target, input: JsonObject): Promise<Exchange> {
  return target.once(`search ${JSON.stringify(input)}`, () => target.discover({ input }))
}

/** Calls the action, at most once per run for each input. Fails unless the response is successful JSON. */
export async function search(target: Target, input: JsonObject): Promise<Finding> {
  const exchange = await asked(target, input)
  const found = valueAt(outputIn(expectJson(exchange)), await foundPath(target)) ?? []
  demand(Array.isArray(found), 'the answer has no array of what was found', exchange)
  const names = await known(target)
  return { exchange, entries: found.map((raw) => entryFrom(raw, names)) }
}

/** Returns the part of an answer that holds what was found: its member `output`, if there is one. */
function outputIn(body: unknown): unknown {
  return at(body, ['output']) ?? body
}

/** Returns the path to what was found within the output. Throws NotAsked if the engine does not recognise it. */
function foundPath(target: Target): Promise<string> {
  return target.once('found path', async () => {
    const output = outputIn(expectJson(await asked(target, {})))
    const { found, paths, ...names } = await known(target)
    const path = listPathIn(output, { ...names, entities: found, paths: { entities: paths?.found } })
    if (found === undefined && !Array.isArray(valueAt(output, path)))
      throw unrecognised(output, 'the array of what was found', 'found')
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
export async function typeOfFound(target: Target, entry: Entry): Promise<string | undefined> {
  const own = typeIn(entry, await typePath(target)) ?? entry.type
  if (typeof own === 'string') return own
  // Skip ids that need escaping in a path, because a failure could then have a different cause.
  if (!isPlain(entry.id)) return undefined
  for (const type of (await types(target)).slice(0, 5)) {
    const { status, json } = await getEntity(target, type, entry.id)
    if (status === 200 && keyOf(entryFrom(json, await known(target))) === entry.id) return type
  }
  return undefined
}

/** Returns the words of three letters or more in the titles of `entries`, as often as they stand there. */
export function wordsOf(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ title = '' }) => title.match(/\p{L}{3,}/gu) ?? [])
}

/** Returns the longest word in the titles of `entries`. Throws NotApplicable if there is none. */
export function wordOf(entries: readonly Entry[]): string {
  const words = wordsOf(entries)
  const [longest] = words.toSorted((a, b) => b.length - a.length)
  if (longest === undefined) throw new NotApplicable('no entity has a title with a word in it')
  return longest
}

/** Returns two types whose entities the action finds. Throws NotAsked if no type is known, NotApplicable if too few are. */
export async function twoTypes(target: Target): Promise<readonly [string, string]> {
  const all = await types(target)
  const filled: string[] = []
  for (const type of all.slice(0, 8)) {
    const { entries } = await search(target, { types: [type] })
    if (entries.length > 0) filled.push(type)
    if (filled[0] !== undefined && filled[1] !== undefined) return [filled[0], filled[1]]
  }
  if (all.length > 1) throw new NotApplicable('the action finds entities of one type alone')
  if (all.length === 1) throw new NotApplicable('the world has only one type')
  throw new NotAsked('no two types are known', { option: '--names types=...' })
}
