/** Parts that all answers of the reference world share, whatever the route. */
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A request as the reference world sees it, with nothing decoded. */
export interface Asked {
  method: string
  path: string
  query: string
  headers: Record<string, string | undefined>
  body: Buffer
  /** Set if the parser of Node.js refused the request: then nothing else is known about it. */
  refused?: string
}

/** An answer before it is written. */
export interface Told {
  status: number
  headers: Record<string, string>
  /** JSON, or undefined for no body. */
  body: unknown
  /** Bytes to send instead of the JSON. */
  bytes?: Buffer
}

/** Returns the headers of every answer. */
function commonHeaders(): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
    vary: 'Accept-Encoding',
  }
}

/** Returns a JSON answer with the usual headers. */
export function told(status: number, body: unknown, headers: Record<string, string> = {}): Told {
  return { status, headers: { ...commonHeaders(), 'content-type': 'application/json', ...headers }, body }
}

/** A refusal. Thrown by the routes. */
export class Refusal extends Error {
  readonly told: Told

  constructor(status: number, code: string, details: unknown = {}, headers: Record<string, string> = {}) {
    super(code)
    const body = { code, message: `This is refused: ${code}.`, details, requestId: 'r-1' }
    this.told = told(status, body, { 'cache-control': 'no-store', 'world-error-code': code, ...headers })
  }
}

/** Ends a request with an error body. Throws Refusal. */
export function refuse(
  status: number,
  code: string,
  details: unknown = {},
  headers: Record<string, string> = {},
): never {
  throw new Refusal(status, code, details, headers)
}

/** Returns the answer to OPTIONS on a route with these methods. */
export function preflight(methods: string): Told {
  const allowed = 'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Request-Id'
  const headers = {
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': allowed,
  }
  return { status: 204, headers: { ...commonHeaders(), ...headers }, body: undefined }
}

/** Reports whether an Accept header allows JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined) return true
  const weights = weighted(accept)
  const found = ['application/json', 'application/*', '*/*'].find((range) => weights.has(range))
  return found !== undefined && (weights.get(found) ?? 0) > 0
}

function weighted(header: string): Map<string, number> {
  return new Map(
    header.split(',').map((item) => {
      const [name = '', weight = 'q=1'] = item.toLowerCase().split(';')
      return [name.trim(), Number(weight.trim().slice(2))] as const
    }),
  )
}

/** Turns a success into a 304 if the request names its tag. */
export function conditional(answer: Told, ifNoneMatch: string | undefined): Told {
  const tag = answer.headers['etag']?.replace('W/', '')
  if (answer.status !== 200 || tag === undefined || ifNoneMatch === undefined) return answer
  const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  const named = ifNoneMatch === '*' || tags.includes(tag)
  return named ? { ...answer, status: 304, body: undefined } : answer
}

/** Returns bytes and headers as they are sent. */
export function encoded(
  answer: Told,
  acceptEncoding: string | undefined,
): { headers: Record<string, string>; bytes: Buffer } {
  const plain =
    answer.bytes ?? (answer.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.body)))
  if (answer.headers['content-encoding'] !== undefined) return { headers: answer.headers, bytes: plain }
  const wishes = weighted(acceptEncoding ?? 'identity')
  const coding = ['br', 'gzip'].find((name) => (wishes.get(name) ?? 0) > 0)
  if (plain.length <= 1024 || coding === undefined) return { headers: answer.headers, bytes: plain }
  const bytes = coding === 'br' ? brotliCompressSync(plain) : gzipSync(plain)
  return { headers: { ...answer.headers, 'content-encoding': coding }, bytes }
}
