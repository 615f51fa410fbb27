/** Serves the discovery document, rebuilt only if something in it has changed. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise } from '../store/contract.ts'
import type { Actions } from '../world/action.ts'
import { type Authentication, discoveryDocument } from '../world/discovery-document.ts'
import type { World } from '../world/world.ts'
import type { WorldRequest, WorldResponse } from './http.ts'
import type { FoundUrl } from './origins.ts'

/** Providers of the parts of the discovery document. */
export interface DiscoveryOptions {
  readonly world: Pick<World, 'description' | 'types'>
  /** Returns the absolute URL of the API for a request, and whether the URL depends on the request's headers. */
  readonly apiUrl: (request: WorldRequest) => FoundUrl
  readonly extensions: DeclaredExtensions
}

/** Declarations of the world's extensions in the document. */
export interface DeclaredExtensions {
  readonly actions: Actions
  /** Returns the members of `extensions` for the listed types; called again whenever the store may have changed. */
  declarations(types: readonly EntityTypeDescription[]): MaybePromise<[name: string, JsonObject][]>
  /** Absent: reads need no token. */
  readonly authentication: Authentication | undefined
  /** Types that the document lists. Absent: all types of the world. */
  readonly listedTypes: readonly EntityTypeDescription[] | undefined
}

/** Maximum cached documents, one per address of the world: a trusted proxy may name any number of addresses. */
const MAX_ADDRESSES = 16

/** Returns the document for a request. The result is the same object as long as the document does not change. */
export type Discovery = (request: WorldRequest) => Promise<DiscoveryAnswer>

/** The document as a response and as a value. */
export interface DiscoveryAnswer extends WorldResponse {
  readonly document: ReturnType<typeof discoveryDocument>
}

/** Creates the function that answers requests for the discovery document. */
export function createDiscovery({ world, apiUrl, extensions }: DiscoveryOptions): Discovery {
  const answers = new Map<string, DiscoveryAnswer>()
  let madeFrom: { types: readonly EntityTypeDescription[]; further: string } | undefined
  const texts = new WeakMap<JsonObject, string>()

  /** Serialises a member, once per object. */
  function textOf([name, member]: [string, JsonObject]): string {
    const text = texts.get(member) ?? JSON.stringify(member)
    texts.set(member, text)
    return name + text
  }

  function make(types: readonly EntityTypeDescription[], members: [string, JsonObject][], found: FoundUrl) {
    const document = discoveryDocument({
      description: world.description,
      types,
      actions: extensions.actions,
      apiUrl: found.url,
      extensions: Object.fromEntries(members),
      authentication: extensions.authentication ?? { required: false, schemes: [] },
    })
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': found.fromHeaders ? 'private, no-store' : 'public, max-age=60, stale-if-error=86400',
        etag: `W/"${document.revision}"`,
      },
      body: JSON.stringify(document),
      memoizable: true as const,
      ...(!found.fromHeaders && { cacheable: {} }),
      document,
    }
  }

  return async (request) => {
    const found = apiUrl(request)
    const types = extensions.listedTypes ?? (await world.types())
    const members = await extensions.declarations(types)
    const further = members.map(textOf).join()
    if (madeFrom?.types !== types || madeFrom.further !== further) {
      answers.clear()
      madeFrom = { types, further }
    }
    const made = answers.get(found.url) ?? make(types, members, found)
    if (answers.size >= MAX_ADDRESSES && !answers.has(found.url)) answers.clear()
    answers.set(found.url, made)
    return made
  }
}
