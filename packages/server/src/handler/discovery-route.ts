/** Answers with the discovery document: made once, and again when something in it has changed. */
import type { EntityTypeDescription, JsonObject } from '@worldwright/client/protocol'
import type { MaybePromise } from '../storage/contract.ts'
import type { Actions } from '../world/action.ts'
import { type Authentication, discoveryDocument } from '../world/discovery-document.ts'
import type { World } from '../world/world.ts'
import type { WorldRequest, WorldResponse } from './http.ts'

/** What is served beyond Level 1, by its name: fixed, or found out whenever the store has changed. */
export type Extensions =
  | Readonly<Record<string, JsonObject>>
  | (() => MaybePromise<Readonly<Record<string, JsonObject>>>)

/** What the discovery document says, and of what. */
export interface DiscoveryOptions {
  readonly world: Pick<World, 'description' | 'types'>
  readonly actions: Actions
  /** The absolute URL of the API for the asking request, and whether it depends on the request's headers. */
  readonly apiUrl: (request: WorldRequest) => { url: string; fromHeaders: boolean }
  readonly extensions: Extensions
  /** Further extensions, which depend on the types that it lists and on nothing else. */
  readonly extensionOf: (types: readonly EntityTypeDescription[]) => Readonly<Record<string, JsonObject>>
  readonly authentication: Authentication
  /** The types it lists. Absent: all that the world has. */
  readonly listedTypes?: readonly EntityTypeDescription[]
}

/** The most addresses of one world that documents are kept for: a proxy that is trusted may name any. */
const MAX_ADDRESSES = 16

/** Answers with the document of the asking request. As long as nothing in one changes, its answer is the same object. */
export type Discovery = (request: WorldRequest) => Promise<WorldResponse & { readonly revision: string }>

/** Makes the answers to requests for the discovery document. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { world, actions, apiUrl, extensions, extensionOf, authentication, listedTypes } = options
  const answers = new Map<string, Awaited<ReturnType<Discovery>>>()
  let madeFrom: { types: readonly EntityTypeDescription[]; extensions: string } | undefined

  function make(types: readonly EntityTypeDescription[], further: string, url: string, kept: boolean) {
    const document = discoveryDocument({
      description: world.description,
      types,
      actions,
      apiUrl: url,
      extensions: { ...extensionOf(types), ...JSON.parse(further) },
      authentication,
    })
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': kept ? 'public, max-age=60, stale-if-error=86400' : 'private, no-store',
        etag: `W/"${document.revision}"`,
      },
      body: JSON.stringify(document),
      memoizable: true as const,
      ...(kept && { cacheable: {} }),
      revision: document.revision,
    }
  }

  return async (request) => {
    const { url, fromHeaders } = apiUrl(request)
    const types = listedTypes ?? (await world.types())
    const further = JSON.stringify(typeof extensions === 'function' ? await extensions() : extensions)
    if (madeFrom?.types !== types || madeFrom.extensions !== further) {
      answers.clear()
      madeFrom = { types, extensions: further }
    }
    const made = answers.get(url) ?? make(types, further, url, !fromHeaders)
    if (answers.size >= MAX_ADDRESSES && !answers.has(url)) answers.clear()
    answers.set(url, made)
    return made
  }
}
