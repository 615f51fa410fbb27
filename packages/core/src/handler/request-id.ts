/** Request ids, which correlate a client's report, a log line and an error body. */
import { base64urlFrom } from '../store/bytes.ts'
import type { WorldRequest } from './http.ts'
import { READ_METHODS } from './methods.ts'
import { PassedRequest } from './passed-request.ts'

const SAFE = /^[A-Za-z0-9._~-]{1,64}$/

/** Creates a generator of request ids that are unique across processes. */
export function createRequestIds(): () => string {
  let prefix: string | undefined
  let count = 0
  return () => {
    // Lazy, because some runtimes have no random numbers while modules load.
    prefix ??= base64urlFrom(crypto.getRandomValues(new Uint8Array(6)))
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}

/** Creates a function that assigns an id to every call or write that has none. The log and the response use this id. */
export function createIdentification(): (request: WorldRequest) => WorldRequest {
  const requestId = createRequestIds()
  return (request) => {
    if (READ_METHODS.includes(request.method) || idOf(request) !== undefined) return request
    const id = requestId()
    // A plain object is copied to a plain object, because middleware may copy it again.
    const isPlain = Object.getPrototypeOf(request) === Object.prototype
    return isPlain ? { ...request, id } : new PassedRequest(request, { id })
  }
}

/** Returns the id of a request, if any. An id sent by the client is used only if it is safe to echo in headers and logs. */
export function idOf({ id, headers }: Pick<WorldRequest, 'id' | 'headers'>): string | undefined {
  if (id !== undefined) return id
  const asked = headers['request-id']
  return asked !== undefined && SAFE.test(asked) ? asked : undefined
}
