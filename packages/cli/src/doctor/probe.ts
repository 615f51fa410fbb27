/** Sends raw HTTP requests, without normalising the URL, following redirects or decoding the body. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

/** A request to send to a deployment. */
export interface Probe {
  /** Target URL; its path and query are sent unchanged. */
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Stops reading after the first chunk, for responses that never end. */
  readonly firstPiece?: true
}

/** Response to a request, with the state of the server's certificate. */
export interface Seen {
  readonly status: number
  /** Header fields by lower-case name. Repeated fields are joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** Number of occurrences of each field, by lower-case name. */
  readonly counts: ReadonlyMap<string, number>
  /** Body as received, not decompressed; reading stops after one mebibyte. */
  readonly body: Buffer
  /** Certificate error; absent if the certificate is valid or there is none. */
  readonly certificateFault?: string
  /** Expiry time of the certificate; absent if there is none. */
  readonly certificateEnds?: Date
}

/** Thrown if no response arrives. The message gives the cause. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Sends a request and returns the response. @throws Unreachable */
export type Prober = (probe: Probe) => Promise<Seen>

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 1024 * 1024

/** Creates a prober whose requests fail once the signal is aborted. */
export function createProber(signal: AbortSignal): Prober {
  return (probe) =>
    new Promise((resolve, reject) => {
      const failed = (error: Error) => {
        if (signal.aborted) reject(signal.reason)
        else reject(new Unreachable(error.message, { cause: error }))
      }
      const { protocol, hostname, port } = new URL(probe.url)
      const send = protocol === 'https:' ? httpsRequest : httpRequest
      const outgoing = send(
        {
          hostname: hostname.replace(/^\[|\]$/g, ''),
          port,
          // Use the raw URL, because a parsed URL is normalised.
          path: probe.url.replace(/^https?:\/\/[^/?]*/, '') || '/',
          method: probe.method ?? 'GET',
          headers: headersOf(probe),
          agent: false,
          rejectUnauthorized: false,
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        },
        (message) => read(message, probe.firstPiece === true).then(resolve, failed),
      )
      outgoing.on('error', failed)
      outgoing.end(probe.body)
    })
}

function headersOf({ headers = {}, body }: Probe): Record<string, string> {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return { accept: 'application/json', 'user-agent': 'world-doctor', ...length, ...headers }
}

async function read(message: IncomingMessage, firstPiece: boolean): Promise<Seen> {
  const tls = certificateOf(message)
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of message) {
    pieces.push(piece)
    bytes += piece.length
    if (firstPiece || bytes > MAX_BODY_BYTES) break
  }
  message.destroy()
  const counts = new Map<string, number>()
  for (const [at, name] of message.rawHeaders.entries()) {
    if (at % 2 === 0) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  }
  const headers = Object.fromEntries(
    Object.entries(message.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  )
  return { status: message.statusCode ?? 0, headers, counts, body: Buffer.concat(pieces), ...tls }
}

function certificateOf({ socket }: IncomingMessage): Pick<Seen, 'certificateFault' | 'certificateEnds'> {
  const tls = socket as Partial<TLSSocket>
  if (tls.getPeerCertificate === undefined) return {}
  const ends = tls.getPeerCertificate().valid_to
  return {
    ...(ends && { certificateEnds: new Date(ends) }),
    ...(!tls.authorized && { certificateFault: String(tls.authorizationError) }),
  }
}
