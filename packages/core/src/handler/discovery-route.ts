/** Answers with the discovery document: made once, and again when something in it has changed. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise } from '../store/contract.ts'
import type { Actions } from '../world/action.ts'
import { type Authentication, discoveryDocument } from '../world/discovery-document.ts'
import type { World } from '../world/world.ts'
import type { WorldRequest, WorldResponse } from './http.ts'
import type { FoundUrl } from './origins.ts'

/** Parts of the discovery document, with their source. */
export interface DiscoveryOptions {
  readonly world: Pick<World, 'description' | 'types'>
  /** The absolute URL of the API for the asking request, and whether it depends on the request's headers. */
  readonly apiUrl: (request: WorldRequest) => FoundUrl
  readonly extensions: DeclaredExtensions
}

/** Declarations of the world's extensions in the document. */
export interface DeclaredExtensions {
  readonly actions: Actions
  /** Members of `extensions` for the types that are listed, asked again whenever the store may have changed. */
  declarations(types: readonly EntityTypeDescription[]): MaybePromise<[name: string, JsonObject][]>
  /** Absent: reads need no token. */
  readonly authentication: Authentication | undefined
  /** The types it lists. Absent: all that the world has. */
  readonly listedTypes: readonly EntityTypeDescription[] | undefined
}

/** The most addresses of one world that documents are kept for: a proxy that is trusted may name any. */
const MAX_ADDRESSES = 16

/** Answers with the document of the asking request. As long as nothing in one changes, its answer is the same object. */
export type Discovery = (request: WorldRequest) => Promise<DiscoveryAnswer>

/** The document as a response, and as a value. */
export interface DiscoveryAnswer extends WorldResponse {
  readonly document: ReturnType<typeof discoveryDocument>
}

/** Makes the answers to requests for the discovery document. */
export function createDiscovery({ world, apiUrl, extensions }: DiscoveryOptions): Discovery {
  const answers = new Map<string, DiscoveryAnswer>()
  let madeFrom: { types: readonly EntityTypeDescription[]; further: string } | undefined
  const texts = new WeakMap<JsonObject, string>()

  /** Members that are the same object as before are not written again. */
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
