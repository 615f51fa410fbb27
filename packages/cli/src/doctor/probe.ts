/** One request as a stranger would send it: nothing normalised, followed or decoded, and everything seen. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

/** One request: its URL as it is sent, and all that goes with it. */
export interface Probe {
  /** Where to; its path and query are sent as they stand. */
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends the answer with its first piece, for answers that would never end. */
  readonly firstPiece?: true
}

/** The answer to a request, with the certificate that it came under. */
export interface Seen {
  readonly status: number
  /** By lower-case name; fields that came several times are joined. */
  readonly headers: Readonly<Record<string, string>>
  /** How often each field came, by lower-case name. */
  readonly counts: ReadonlyMap<string, number>
  /** As it was sent, not unpacked; at most a mebibyte of it. */
  readonly body: Buffer
  /** What was wrong with the certificate; absent if nothing was, or there is none. */
  readonly certificateFault?: string
  /** When the certificate ends. Absent without one. */
  readonly certificateEnds?: Date
}

/** Nothing came back; the message says what happened instead. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Sends a request. @throws Unreachable */
export type Prober = (probe: Probe) => Promise<Seen>

const TIMEOUT_MS = 10_000
const MAX_BODY_BYTES = 1024 * 1024

/** Makes what sends requests until the signal is aborted. */
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
          // As it stands: a parsed URL has lost what is looked for.
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
