/** Checks of a request's head. The HTTP parser of Node.js makes most of them; other runtimes let more through. */
import { type ErrorCode, WorldFault } from '../world/errors.ts'
import { MAX_HEADER_BYTES as maxBytes } from '../world/limits.ts'
import type { WorldRequest } from './http.ts'

/** Matches a host. Repeated fields are joined with a comma, which no host contains. */
export const HOST = /^[A-Za-z0-9._~!$&'()*+;=%:[\]-]*$/
const METHOD = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE|TRACE|QUERY|PROP\w+|MKCOL|COPY|MOVE|\w*LOCK)$/

/** Faults in a request's head. Each closes the connection. */
export const HEAD_FAULTS = {
  host: (reason: string) => fault('invalid_request', 'An HTTP/1.1 request names one Host.', { reason }),
  method: () => fault('not_implemented', 'The server does not know this method.'),
  expectation: () => fault('expectation_failed', 'The only expectation met here is 100-continue.'),
  size: () => fault('headers_too_large', `Request headers may have ${maxBytes} bytes at most.`, { maxBytes }),
}

/** Returns the first fault in a request's head, if there is any. */
export function headFault(method: string, headers: WorldRequest['headers']): WorldFault | undefined {
  const { host = '', expect = '100-continue' } = headers
  if (!METHOD.test(method)) return HEAD_FAULTS.method()
  if (!HOST.test(host)) return HEAD_FAULTS.host('bad_host')
  if (expect.toLowerCase() !== '100-continue') return HEAD_FAULTS.expectation()
  return Object.entries(headers).join().length > maxBytes ? HEAD_FAULTS.size() : undefined
}

function fault(code: ErrorCode, message: string, details = {}): WorldFault {
  return new WorldFault(code, message, details, { connection: 'close' })
}
