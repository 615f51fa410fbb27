/** Private worlds: reads need a token, and what is answered to one is nobody else's to keep. */
import { WELL_KNOWN_PATH } from '@worldwright/client/protocol'
import type { WorldHandler } from '../handler/handler.ts'
import type { WorldRequest, WorldResponse } from '../handler/http.ts'
import type { Authorise } from './authorise.ts'

/** Decides whether a request to a private world may be answered. Routes that are `open` are not its concern. */
export function admitReaders(authorise: Authorise): (request: WorldRequest) => Promise<void> {
  return (request) => authorise(request, 'read')
}

/** The handler, with answers to a token marked `private` (decisions 6). Discovery is the same for everybody. */
export function markPrivate(handler: WorldHandler): WorldHandler {
  const marked = (request: WorldRequest, response: WorldResponse): WorldResponse => {
    const caching = response.headers['cache-control']
    if (!caching?.startsWith('public') || request.target.split('?')[0] === WELL_KNOWN_PATH) return response
    const vary = response.headers['vary'] === undefined ? '' : `${response.headers['vary']}, `
    return {
      ...response,
      headers: {
        ...response.headers,
        'cache-control': caching.replace('public', 'private'),
        vary: `${vary}Authorization`,
      },
    }
  }
  return {
    ...handler,
    handle(request) {
      const response = handler.handle(request)
      if (request.headers['authorization'] === undefined) return response
      return response instanceof Promise
        ? response.then((answered) => marked(request, answered))
        : marked(request, response)
    },
  }
}
