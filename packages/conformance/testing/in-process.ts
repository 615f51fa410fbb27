/** Worlds without a port: requests go to a function, so that hundreds of broken worlds are checked quickly. */
import { Exchange } from '../src/http/exchange.ts'
import { parseResponse } from '../src/http/parse-response.ts'
import type { Wire } from '../src/http/wire.ts'
import { type Asked, encoded, type Told } from './reference-http.ts'

/** The origin of every world in this process. */
export const ORIGIN = 'http://world.test'

/** Returns a wire whose other end is a function. What it tells is written as HTTP and parsed again, so framing counts. */
export function wireTo(tell: (asked: Asked, origin: string) => Told): Wire {
  return {
    async send(origin, bytes, { bodyless }) {
      const asked = askedIn(bytes)
      const result = tell(asked, origin)
      const { headers, bytes: body } = encoded(result, asked.headers['accept-encoding'])
      const framed = 'content-length' in headers || 'transfer-encoding' in headers
      const fields = Object.entries(framed ? headers : { ...headers, 'content-length': String(body.length) })
      const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const told = Buffer.concat([Buffer.from(`HTTP/1.1 ${result.status} So\r\n${head}\r\n`, 'latin1'), body])
      const parsed = parseResponse(told, true, bodyless)
      const trouble = parsed?.complete === true ? undefined : 'the connection ended too early'
      return new Exchange(origin, bytes, parsed?.response, trouble)
    },
    close() {},
  }
}

/** Returns the request in the bytes that were sent. */
export function askedIn(bytes: Buffer): Asked {
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
