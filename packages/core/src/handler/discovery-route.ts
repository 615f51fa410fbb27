/** Serves the discovery document, and rebuilds it only if its content has changed. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise } from '../store/contract.ts'
import type { Actions } from '../world/action.ts'
import { type Authentication, discoveryDocument } from '../world/discovery-document.ts'
import type { World } from '../world/world.ts'
import type { WorldRequest, WorldResponse } from './http.ts'
import type { FoundUrl } from './origins.ts'

/** Dependencies of the discovery route. */
export interface DiscoveryOptions {
  readonly world: Pick<World, 'description' | 'types'>
  /** Returns the absolute URL of the API for a request. */
  readonly apiUrl: (request: WorldRequest) => FoundUrl
  readonly extensions: DeclaredExtensions
}

/** Content that the world's extensions add to the document. */
export interface DeclaredExtensions {
  readonly actions: Actions
  /** Returns the members of `extensions`, given the listed types. Called again whenever the store may have changed. */
  declarations(types: readonly EntityTypeDescription[]): MaybePromise<[name: string, JsonObject][]>
  /** The `authentication` member of the document. If undefined, reads need no token. */
  readonly authentication: Authentication | undefined
  /** Types that the document lists. If undefined, it lists all types of the world. */
  readonly listedTypes: readonly EntityTypeDescription[] | undefined
}

/** Maximum number of cached documents, one per API URL. A trusted proxy may forward any number of hosts. */
const MAX_ADDRESSES = 16

/** Returns the document for a request. The result is the same object until the document changes. */
export type Discovery = (request: WorldRequest) => Promise<DiscoveryAnswer>

/** Discovery response, with the document as an object. */
export interface DiscoveryAnswer extends WorldResponse {
  readonly document: ReturnType<typeof discoveryDocument>
}

/** Creates the function that answers discovery requests. */
export function createDiscovery({ world, apiUrl, extensions }: DiscoveryOptions): Discovery {
  const answers = new Map<string, DiscoveryAnswer>()
  let madeFrom: { types: readonly EntityTypeDescription[]; further: string } | undefined
  const texts = new WeakMap<JsonObject, string>()

  /** Serialises a member. Caches the text per object. */
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
