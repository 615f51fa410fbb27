/** Request ids, which connect a client's report, a log line and an error body. */
import { base64urlFrom } from '../store/bytes.ts'
import type { WorldRequest } from './http.ts'

const SAFE = /^[A-Za-z0-9._~-]{1,64}$/

/** Creates a generator of request ids that are unique across processes. */
export function createRequestIds(): () => string {
  let prefix: string | undefined
  let count = 0
  return () => {
    // Lazy: some runtimes have no random numbers while modules load.
    prefix ??= base64urlFrom(crypto.getRandomValues(new Uint8Array(6)))
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}

/** Returns the id of a request. A client's own id counts only if it is plain enough to be repeated in headers and logs. */
export function idOf({ id, headers }: Pick<WorldRequest, 'id' | 'headers'>): string | undefined {
  if (id !== undefined) return id
  const asked = headers['request-id']
  return asked !== undefined && SAFE.test(asked) ? asked : undefined
}
