/** Private caching: shared caches must not store responses to requests with a token (D6-3). */
import { WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import { andThen } from './and-then.ts'
import type { Handle } from './extension.ts'
import type { WorldResponse } from './http.ts'

/** Marks public responses to requests with a token as `private`, except for discovery, which is the same for all clients. */
export function withPrivateCaching(answer: Handle): Handle {
  return (request) => {
    const response = answer(request)
    if (request.headers['authorization'] === undefined) return response
    if (request.target.split('?')[0] === WELL_KNOWN_PATH) return response
    return andThen(response, marked)
  }
}

function marked(response: WorldResponse): WorldResponse {
  const caching = response.headers['cache-control']
  if (!caching?.startsWith('public')) return response
  const vary = response.headers['vary'] === undefined ? '' : `${response.headers['vary']}, `
  const own = { 'cache-control': caching.replace('public', 'private'), vary: `${vary}Authorization` }
  return { ...response, headers: { ...response.headers, ...own } }
}
