/**
 * `@worldwright/client/foreign`: reads worlds that use different names for members the protocol does not name. Its `connect`
 * also returns a `World`. Results have our names; `interpretationOf` returns the received body.
 */
import { connect as connectOurs, type WorldOptions } from '../connect.ts'
import type { KeptWorld } from '../freshness.ts'
import type { DiscoverOutput } from '../protocol.ts'
import type { Reader } from '../reader.ts'
import type { Fetch } from '../redirect.ts'
import type { AnyTypes, WorldTypes } from '../types.ts'
import type { World } from '../world.ts'
import { descriptionFrom } from './document.ts'
import { doubtIn } from './doubt.ts'
import { entityFrom } from './entity.ts'
import { errorBodyFrom } from './error-body.ts'
import { pageFrom } from './list.ts'
import type { Names } from './names.ts'

export { descriptionFrom, type WorldDescription } from './document.ts'
export { referenceIn } from './entity.ts'
export type { Certainty, Found } from './find.ts'
export { type Interpretation, interpretationOf } from './interpretation.ts'
export { NAMEABLE, type Names } from './names.ts'

/** Options for connecting to a world that may use other names. */
export interface ForeignOptions extends WorldOptions {
  /** Names given by hand. Members without a given name are searched for. */
  names?: Names | undefined
}

/**
 * Like `connect` of `@worldwright/client`, but for a world with any member names. Entities, pages and search results have
 * our names; a missing type or id is taken from the request, else it is an empty string. A walk that may be incomplete
 * yields what was read, then fails with `invalid_response`. A request whose limit is refused is repeated without it.
 */
export async function connect<Types extends WorldTypes = AnyTypes>(
  from: string | URL | KeptWorld,
  { names = {}, ...options }: ForeignOptions = {},
): Promise<World<Types>> {
  const reader: Reader = {
    worldId: (document) => descriptionFrom(document, names).id?.value,
    errorBody: errorBodyFrom,
    entity: (body, type, id) => entityFrom(body, names, type, id),
    page: (body, type, before) => pageFrom(body, names, type, before),
    output(body, types = []) {
      const { output = body } = Object(body)
      return pageFrom(
        output,
        { ...names, entities: names.found },
        types[1] ? undefined : types[0],
      ) as unknown as DiscoverOutput
    },
    doubt: doubtIn,
  }
  return connectOurs(from, { ...options, fetch: withoutRefusedLimit(options.fetch), reader } as WorldOptions)
}

/** Returns a `fetch` that repeats a request without its limit if the world refuses the request (400 or 422). */
function withoutRefusedLimit(fetch = globalThis.fetch as Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const bare = url.replace(/limit=\d+&?/, '')
    return bare !== url && [400, 422].includes(response.status) ? fetch(bare, init) : response
  }
}
