/** Worlds without a port: requests go to a function, so that hundreds of broken worlds are checked quickly. */
import { Exchange } from '../src/http/exchange.ts'
import type { Wire } from '../src/http/wire.ts'
import { type Asked, encoded, type Told } from './reference-http.ts'

/** The origin of every world in this process. */
export const ORIGIN = 'http://world.test'

/** Returns a wire whose other end is a function. */
export function wireTo(tell: (asked: Asked) => Told): Wire {
  return {
    async send(origin, bytes, { bodyless }) {
      const asked = askedIn(bytes)
      const result = tell(asked)
      const { headers, bytes: body } = encoded(result, asked.headers['accept-encoding'])
      const empty = bodyless === true || result.status === 204 || result.status === 304
      const response = {
        status: result.status,
        reason: '',
        fields: Object.entries(headers),
        body: empty ? Buffer.alloc(0) : body,
        interim: [],
      }
      return new Exchange(origin, bytes, response)
    },
    close() {},
  }
}

function askedIn(bytes: Buffer): Asked {
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...fields] = bytes.subarray(0, end).toString().split('\r\n')
  const [method = '', target = ''] = line.split(' ')
  const [path = '', query = ''] = target.split(/\?(.*)/s)
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 2),
    ]),
  )
  return { method, path, query, headers, body: bytes.subarray(end + 4) }
}
