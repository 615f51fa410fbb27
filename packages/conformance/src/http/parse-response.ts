/** Parses the bytes of HTTP/1.1 responses (RFC 9112), even if incomplete. */

/** A response as received, except that the chunks of a body are joined. */
export interface RawResponse {
  readonly status: number
  /** Header fields in the order received, with names as written. */
  readonly fields: readonly (readonly [string, string])[]
  readonly body: Buffer
  /** Status codes of the interim responses (1xx) that preceded this response. */
  readonly interim: readonly number[]
}

/** A parsed response. `complete`: the whole response has arrived. `reusable`: the connection can carry another request. */
export interface Parsed {
  readonly response: RawResponse
  readonly complete: boolean
  readonly reusable: boolean
}

/**
 * Returns the response in `bytes`, or undefined if its head is incomplete or not HTTP. `ended`: no more bytes will
 * arrive. `bodyless`: the request was a HEAD.
 */
export function parseResponse(bytes: Buffer, ended: boolean, bodyless = false): Parsed | undefined {
  const interim: number[] = []
  let start = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', start)
    if (end < 0) return undefined
    const head = parseHead(bytes.toString('latin1', start, end))
    if (head === undefined) return undefined
    start = end + 4
    if (head.status >= 200 || head.status === 101) {
      const { body, ...framing } = parseBody(head, bytes.subarray(start), ended, bodyless)
      return { response: { ...head, body, interim }, ...framing }
    }
    interim.push(head.status)
  }
}

type Head = Pick<RawResponse, 'status' | 'fields'>

function parseHead(text: string): Head | undefined {
  const [statusLine = '', ...lines] = text.split('\r\n')
  const match = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(statusLine)
  if (match === null) return undefined
  const fields = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  return { status: Number(match[1]), fields }
}

interface Framed {
  readonly body: Buffer
  readonly complete: boolean
  readonly reusable: boolean
}

function parseBody(head: Head, rest: Buffer, ended: boolean, bodyless: boolean): Framed {
  const field = (name: string) => head.fields.find(([own]) => own.toLowerCase() === name)?.[1]
  const open = field('connection')?.toLowerCase() !== 'close'
  if (bodyless || head.status === 204 || head.status === 304 || head.status === 101) {
    return { body: Buffer.alloc(0), complete: true, reusable: open && rest.length === 0 }
  }
  if (/chunked/i.test(field('transfer-encoding') ?? '')) return { ...parseChunks(rest), reusable: open }
  const length = field('content-length')
  if (length === undefined) return { body: rest, complete: ended, reusable: false }
  const size = Number(length)
  return {
    body: rest.subarray(0, size),
    complete: rest.length >= size,
    reusable: open && rest.length === size,
  }
}

function parseChunks(rest: Buffer): { body: Buffer; complete: boolean } {
  const parts: Buffer[] = []
  let at = 0
  const done = (complete: boolean) => ({ body: Buffer.concat(parts), complete })
  while (at <= rest.length) {
    const line = rest.indexOf('\r\n', at)
    const size = line < 0 ? Number.NaN : Number.parseInt(rest.toString('latin1', at, line), 16)
    if (Number.isNaN(size)) return done(false)
    if (size === 0) return done(rest.indexOf('\r\n\r\n', line) >= 0)
    parts.push(rest.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return done(false)
}
