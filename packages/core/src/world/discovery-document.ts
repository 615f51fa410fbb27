/** Builder of the discovery document, the entry point for clients (Level 1, discovery document; decisions 1). */
import {
  type DiscoveryDocument,
  type EntityTypeDescription,
  type JsonObject,
  PROTOCOL,
} from '@worldwright/client/protocol'
import { sha256 } from '../store/digest.ts'
import type { Actions } from './action.ts'
import {
  DISCOVER_DEFAULT,
  DISCOVER_MAX,
  LIST_DEFAULT,
  LIST_MAX,
  MAX_REQUEST_BYTES,
  MAX_TEXT_LENGTH,
  MAX_TYPES,
} from './limits.ts'
import type { WorldDescription } from './world.ts'

/** Default path of the API on its host (Level 1, versioning). */
export const API_PATH = '/api/world/v0'

/** Inputs from which a discovery document is built. */
export interface DiscoverySource {
  readonly description: WorldDescription
  readonly types: readonly EntityTypeDescription[]
  readonly actions: Actions
  /** Absolute URL at which clients reach the API. */
  readonly apiUrl: string
  readonly extensions: Readonly<Record<string, JsonObject>>
  readonly authentication: Authentication
}

/** Authentication policy: whether reads require a token, and the accepted schemes. */
export interface Authentication {
  readonly required: boolean
  readonly schemes: readonly string[]
}

/** Builds the discovery document. `revision` is a digest of all other members, so it changes if and only if they do. */
export function discoveryDocument(
  source: DiscoverySource,
): DiscoveryDocument & { readonly revision: string } {
  const { id, name, description, license, attribution } = source.description
  const document = {
    protocol: PROTOCOL,
    world: {
      id,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(license === undefined ? {} : { license }),
      ...(attribution === undefined ? {} : { attribution }),
    },
    endpoints: { api: source.apiUrl },
    entityTypes: [...source.types],
    actions: source.actions.descriptions,
    limits: {
      list: { default: LIST_DEFAULT, max: LIST_MAX },
      discover: { default: DISCOVER_DEFAULT, max: DISCOVER_MAX },
      maxRequestBytes: MAX_REQUEST_BYTES,
      maxTextLength: MAX_TEXT_LENGTH,
      maxTypes: MAX_TYPES,
    },
    authentication: { required: source.authentication.required, schemes: [...source.authentication.schemes] },
    extensions: { ...source.extensions },
  }
  return { ...document, revision: sha256(JSON.stringify(document)).slice(0, 16) }
}
