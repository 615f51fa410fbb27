/** Private worlds: reads need a token. */
import type { WorldRequest } from '../handler/http.ts'
import type { Authorise } from './authorise.ts'

/** Decides whether a request to a private world may be answered. Routes that are `open` are not its concern. */
export function admitReaders(authorise: Authorise): (request: WorldRequest) => Promise<void> {
  return (request) => authorise(request, 'read')
}
