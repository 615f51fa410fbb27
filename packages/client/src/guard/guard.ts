/**
 * `@worldwright/client/guard`: a `fetch` for servers that read worlds at user-supplied addresses. It refuses private
 * addresses at the socket: after DNS resolution, and for every connection and redirect. Node.js only.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { WorldError } from '../error.ts'
import type { Fetch } from '../redirect.ts'
import { isPublicAddress } from './addresses.ts'

export { isPublicAddress } from './addresses.ts'

/** Address policy and name resolution of a guarded `fetch`. */
export interface GuardOptions {
  /** Reports whether a connection to an address may be opened. Default: `isPublicAddress(address)`. */
  allowAddress?: ((address: string, port: number) => boolean) | undefined
  /** Resolves host names. Default: `dns.lookup`. */
  lookup?: typeof dnsLookup | undefined
}

/**
 * Returns a `fetch` for `connect` that sends nothing to an address that `allowAddress` refuses. A refused call fails with
 * `insecure_endpoint` (details `refused`). Redirects are not followed but returned: the client follows them itself, with a
 * separate call for each hop. Proxies set in the environment are not used.
 */
export function guardedFetch(options: GuardOptions = {}): Fetch {
  const { allowAddress = isPublicAddress, lookup = dnsLookup } = options
  const guard = (port: number): LookupFunction => guardedLookup(lookup, (one) => allowAddress(one, port))
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true })
  return (url, init) =>
    new Promise((resolve, reject) => {
      const target = new URL(url)
      const secure = target.protocol === 'https:'
      const port = Number(target.port) || (secure ? 443 : 80)
      // An IP address in the URL needs no lookup, so `guardedLookup` does not check it.
      const literal = target.hostname.replace(/^\[|\]$/g, '')
      if (isIP(literal) && !allowAddress(literal, port)) throw refusal(literal)
      const request = (secure ? httpsRequest : httpRequest)(target, {
        method: init.method ?? 'GET',
        headers: { 'accept-encoding': 'gzip, deflate, br', ...Object.fromEntries(new Headers(init.headers)) },
        agent: secure ? https : http,
        lookup: guard(port),
        ...(init.signal ? { signal: init.signal } : {}),
      })
      request.on('error', reject)
      request.on('socket', (socket: Socket) => {
        // Checked again after connecting, because this is the address that receives the bytes.
        const check = () => {
          const { remoteAddress = '' } = socket
          if (!allowAddress(remoteAddress, port)) request.destroy(refusal(remoteAddress))
        }
        if (socket.connecting) socket.once('connect', check)
        else check()
      })
      request.on('response', (message) => {
        try {
          resolve(Object.defineProperty(responseFrom(message), 'url', { value: url }))
        } catch (error) {
          message.destroy()
          reject(error)
        }
      })
      request.end(init.body ?? undefined)
    })
}

function refusal(address: string): WorldError {
  return new WorldError('insecure_endpoint', undefined, { details: { refused: address } })
}

/** Returns a lookup function that keeps only allowed addresses. */
function guardedLookup(lookup: typeof dnsLookup, allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return callback(error, '')
      const left = found.filter(({ address }) => allowed(address))
      const [first] = left
      if (!first) return callback(refusal(found[0]?.address ?? hostname), '')
      return options.all ? callback(null, left) : callback(null, first.address, first.family)
    })
  }
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
const NO_BODY = [204, 205, 304]

function responseFrom(message: IncomingMessage): Response {
  const headers = new Headers()
  const { rawHeaders, statusCode: status = 0 } = message
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  if (NO_BODY.includes(status)) {
    message.resume()
    return new Response(null, { status, headers })
  }
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter(Boolean)
  // A chain of codings would multiply the size to which a small body can expand.
  const decoder = codings.length > 1 ? undefined : DECODERS[codings[0] ?? '']
  const body = decoder ? pipeline([message, decoder()], () => {}) : message
  return new Response(Readable.toWeb(body as Readable) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    status,
    headers,
  })
}
