/**
 * `@worldwright/client/foreign`: reads worlds that use different names for members the protocol does not name. Its `connect`
 * also returns a `World`. Results have our names; `interpretationOf` returns the received body, `profileOf` the names.
 */
import { apiUrl, component } from '../address.ts'
import { allowing } from '../allow.ts'
import { connect as connectOurs, type WorldOptions } from '../connect.ts'
import { attempt } from '../error.ts'
import type { KeptWorld } from '../freshness.ts'
import type { DiscoverOutput, EntityList } from '../protocol.ts'
import type { Reader } from '../reader.ts'
import type { Fetch } from '../redirect.ts'
import type { CallOptions } from '../request.ts'
import type { AnyTypes, WorldTypes } from '../types.ts'
import type { World } from '../world.ts'
import { descriptionFrom } from './document.ts'
import { entityFrom, isOurs } from './entity.ts'
import { errorBodyFrom } from './error-body.ts'
import { isKey } from './find.ts'
import { type Interpretation, interpretationOf, partsOf } from './interpretation.ts'
import { CURSORS, cursorsIn, pageFrom } from './list.ts'
import type { Names, ReadingProfile } from './names.ts'
import { createReading, profileFromReading, type Reading } from './reading.ts'

export { descriptionFrom, type WorldDescription } from './document.ts'
export { entityFrom, idsIn, membersOf, referenceIn } from './entity.ts'
export { errorBodyFrom } from './error-body.ts'
export { type Certainty, type Found, type Known, valueAt } from './find.ts'
export { type Envelope, type Interpretation, interpretationOf } from './interpretation.ts'
export { CURSORS, cursorsIn, listsIn, pageFrom } from './list.ts'
export { NAMEABLE, type Names, profileFrom, READING, type ReadingProfile } from './names.ts'

/** Options for connecting to a world that may use other names. */
export interface ForeignOptions extends WorldOptions {
  /** Names given by hand. Members without a given name are searched for. */
  names?: Names | undefined
  /** Names found before, as `profileOf` returns them. Those in `names` take precedence. */
  profile?: ReadingProfile | undefined
}

const readings = /* @__PURE__ */ new WeakMap<object, Reading>()

/**
 * Like `connect` of `@worldwright/client`, but for a world with any member names. Entities, pages and search results have
 * our names; a missing type or id is taken from the request, else it is an empty string. Names that are not sure are proved
 * by at most eight requests when a list first needs them. A walk that may be incomplete yields what was read, then fails
 * with `invalid_response`. A request whose limit is refused is repeated without it. If the next page is given as a URL
 * without a cursor, that URL is requested, but only on the origin of the API.
 */
export async function connect<Types extends WorldTypes = AnyTypes>(
  from: string | URL | KeptWorld,
  { names = {}, profile, allow, fetch, ...options }: ForeignOptions = {},
): Promise<World<Types>> {
  const reading = createReading(names, profile ?? {})
  const { known, seen } = reading
  /** Returns a page, after the proof of its names if they are not ours. */
  const settled = async (
    read: (cursor?: '') => EntityList,
    type: string | undefined,
    isStart: boolean,
  ): Promise<EntityList> => {
    let page = read()
    const { body, found, response } = interpretationOf(page) as Interpretation
    // Nothing is proved if the entities and the cursor have our names, or nothing could be a cursor.
    const isSure = !isStart || found['cursor']?.certainty === 'ours'
    const isAlone = isSure || !cursorsIn(body, response, known, CURSORS).some(({ value }) => isKey(value))
    if (!isAlone || !page.entities.every(isOurs))
      page = await (await import('./proof.ts')).settle(world, reading, page, read, type, isStart)
    Object.assign(seen, isStart ? partsOf(page) : { found: found['entities'] }, partsOf(page.entities[0]))
    return page
  }
  const reader: Reader = {
    worldId(document) {
      const { id, name, entityTypes, actions } = descriptionFrom(document, known)
      known.declared = entityTypes?.value.map(({ type }) => type)
      Object.assign(seen, { world: id, worldName: name, types: entityTypes, actions })
      return id?.value
    },
    errorBody: errorBodyFrom,
    entity(body, type, id) {
      const entity = entityFrom(body, known, type, id)
      Object.assign(seen, partsOf(entity))
      return entity
    },
    async page(body, type, before, { headers, url }) {
      const page = url || apiUrl(world.document.endpoints.api, `entities/${component(type)}`)
      const read = (cursor?: '') =>
        pageFrom(body, { ...known, cursor: cursor ?? known.cursor }, type, before, { headers, url: page })
      return before?.entities[0] ? read() : settled(read, type, true)
    },
    async output(body, [type, more] = []) {
      const { output = body } = Object(body)
      const one = more ? undefined : type
      const read = () => {
        const paths = { ...known.paths, entities: known.paths.found }
        return pageFrom(output, { ...known, entities: known.found, paths }, one)
      }
      return (await settled(read, one, false)) as unknown as DiscoverOutput
    },
    doubt: async (end) => (await import('./proof.ts')).doubtIn(end),
  }
  const world: World<Types> = await connectOurs(from, {
    ...options,
    fetch: fetchLinks(allow ? allowing(allow, fetch) : fetch),
    reader,
  } as WorldOptions)
  readings.set(world, reading)
  return world
}

/** Returns the reading profile of a world that this module connected, as far as it is known; undefined for any other. */
export function profileOf(world: World): ReadingProfile | undefined {
  const reading = readings.get(world)
  return reading && profileFromReading(reading)
}

/**
 * Reads a page of each declared type, at most of eight, to prove the names of the id and of the cursor. Returns the profile.
 * Failed requests prove nothing.
 */
export async function prove(world: World, options?: CallOptions): Promise<ReadingProfile | undefined> {
  for (const type of readings.get(world)?.known.declared?.slice(0, 8) ?? [])
    await world.list(type, {}, options).catch(() => undefined)
  return profileOf(world)
}

/** Returns the names with which a world is read that are neither ours, given nor proved, such as `title=label`. */
export function guessesOf(world: World): string[] {
  const { names = {}, proved } = profileOf(world) ?? {}
  return Object.entries(names).flatMap(([key, path]) =>
    proved?.includes(key as never) ? [] : `${key}=${path}`,
  )
}

/** Returns a `fetch` that requests the URL in a cursor, and repeats a request without its limit if that is refused. */
function fetchLinks(fetch = globalThis.fetch as Fetch): Fetch {
  return async (asked, init) => {
    const link = attempt(() => new URL(new URL(asked).searchParams.get('cursor') as string))
    // Only on the same origin, as the request may contain the token.
    const url = asked.startsWith(`${link?.origin}/`) ? (link as URL).href : asked
    const response = await fetch(url, init)
    const bare = url.replace(/limit=\d+&?/, '')
    return bare !== url && [400, 422].includes(response.status) ? fetch(bare, init) : response
  }
}
