/**
 * Reading the discovery document of an origin, and what in it a client relies on: `protocol` and `endpoints.api`.
 */
import { httpOrigin, isInsecure } from './address.ts'
import { type ClientErrorCode, WorldError } from './error.ts'
import { type DiscoveryDocument, PROTOCOL, WELL_KNOWN_PATH } from './protocol.ts'
import { type CallOptions, request, type Settings } from './request.ts'
import { isObject } from './response.ts'

/** A discovery document and the two things in it that every call needs. */
export interface Found {
  /** As received, unknown members included. */
  document: DiscoveryDocument
  /** `endpoints.api`, used as given. */
  api: string
  /** `world.id`; absent where the document has none. */
  id: string | undefined
}

const MAX_DOCUMENT_BYTES = 2 ** 20

/**
 * Fetches and checks the discovery document of an origin; `fresh` goes past every cache. The token is not sent here.
 * No JSON object, or no `protocol` of the form `world/…`: `not_a_world`. Another version: `unsupported_protocol`,
 * details `offered` and `supported`. An `endpoints.api` that is no plain absolute URL: `invalid_response`. One that
 * would carry the token in the clear: `insecure_endpoint`. Another `world.id` than `expected`, where that is given:
 * `world_mismatch`, details `expected` and `actual`.
 */
export function discover(
  origin: string,
  settings: Settings,
  options: CallOptions,
  expected: string | undefined,
  fresh = false,
): Promise<Found> {
  const take = (body: unknown) => foundIn(body, settings.token, expected)
  const url = () => origin + WELL_KNOWN_PATH
  return request(settings, { url, safe: true, fresh, maxBytes: MAX_DOCUMENT_BYTES, take }, options)
}

function foundIn(body: unknown, token: string | undefined, expected: string | undefined): Found {
  const document = (isObject(body) ? body : {}) as DiscoveryDocument
  const { protocol, endpoints, world } = document
  if (typeof protocol !== 'string' || !protocol.startsWith('world/'))
    refuse('not_a_world', 'This is no discovery document of a world.')
  if (protocol !== PROTOCOL) {
    refuse('unsupported_protocol', `This client speaks ${PROTOCOL} only.`, {
      offered: protocol,
      supported: [PROTOCOL],
    })
  }
  const api = endpoints?.api
  const apiOrigin = httpOrigin(api) ?? refuse('invalid_response', 'endpoints.api is no plain http(s) URL.')
  if (token && isInsecure(apiOrigin)) refuse('insecure_endpoint', 'A token is not sent over plain http.')
  const id = typeof world?.id === 'string' ? world.id : undefined
  if (expected !== undefined && expected !== id) {
    refuse('world_mismatch', 'Another world answers here.', { expected, actual: id })
  }
  return { document, api, id }
}

function refuse(code: ClientErrorCode, message: string, details?: Record<string, unknown>): never {
  throw new WorldError(code, message, { details })
}
