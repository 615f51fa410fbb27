/**
 * `@worldwright/client/foreign`: worlds that chose other names than ours for what the protocol leaves open. Its `connect`
 * gives the same world; what it answers with has our names, and `interpretationOf` gives what was received.
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

/** How to connect to a world that may have other names. */
export interface ForeignOptions extends WorldOptions {
  /** Names given by hand. What is left out is looked for. */
  names?: Names | undefined
}

/**
 * As `connect` of `@worldwright/client`, for a world of any names. Entities, pages and search results come in our names;
 * an entity that has no type or no id of its own has the one that was asked for, else an empty one. A walk that is not
 * sure to be complete ends with `invalid_response`, after what was read. A limit that is refused is left out.
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

/** A `fetch` that asks again without a limit where the world refuses the request with one. */
function withoutRefusedLimit(fetch = globalThis.fetch as Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init)
    const bare = url.replace(/limit=\d+&?/, '')
    return bare !== url && [400, 422].includes(response.status) ? fetch(bare, init) : response
  }
}
