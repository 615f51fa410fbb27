import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { parseExact } from '@worldwright/client/exact'
import type { Recorded } from '../check/check.ts'
import { objectIn } from '../json/json.ts'
import type { RawResponse } from './parse-response.ts'

/** Decoders by content coding, as in Content-Encoding. */
const DECODERS = new Map([
  ['identity', (body: Buffer) => body],
  ['br', brotliDecompressSync],
  ['deflate', inflateSync],
  ['gzip', gunzipSync],
  ['zstd', zstdDecompressSync],
])

/** A request as it was sent, and its response, if any. */
export class Exchange {
  /** Origin to which the request was sent. */
  readonly origin: string
  readonly sent: Buffer
  /** Status code; 0 if no response arrived. */
  readonly status: number
  readonly fields: readonly (readonly [string, string])[]
  readonly body: Buffer
  /** Decoded body; as received if it does not have its content coding, or if the coding is unknown. */
  readonly content: Buffer
  readonly interim: readonly number[]
  /** Reason why the response is missing or incomplete; undefined for a complete response. */
  readonly trouble: string | undefined

  constructor(origin: string, sent: Buffer, response: RawResponse | undefined, trouble?: string) {
    this.origin = origin
    this.sent = sent
    this.status = response?.status ?? 0
    this.fields = response?.fields ?? []
    this.body = response?.body ?? Buffer.alloc(0)
    this.interim = response?.interim ?? []
    const coding = this.header('content-encoding')?.toLowerCase() ?? 'identity'
    const content = this.body.length === 0 ? this.body : decoded(this.body, coding)
    this.content = content ?? this.body
    this.trouble =
      trouble ?? (content === undefined ? `its Content-Encoding lies, it is not ${coding}` : undefined)
  }

  /** Returns the response header `name`, given in lower case, or undefined. Joins repeated fields with `, `. */
  header(name: string): string | undefined {
    const values = this.fields.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value)
    return values.length === 0 ? undefined : values.join(', ')
  }

  /** The response headers. */
  get headers(): Headers {
    const headers = new Headers()
    for (const [name, value] of this.fields) headers.append(name, value)
    return headers
  }

  /** URL that was requested. */
  get url(): string {
    return this.origin + (this.sent.toString('latin1').split(' ', 2)[1] ?? '')
  }

  get text(): string {
    return this.content.toString()
  }

  /**
   * Body parsed as JSON, with integers beyond ±(2^53−1) as `ExactNumber`; undefined if it is not whole, not JSON, not UTF-8, or
   * begins with a byte order mark.
   */
  get json(): unknown {
    if (this.trouble !== undefined) return undefined
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.content)
      return parseExact(text, (value, digits) => !/^-?\d+$/.test(digits) || Number.isSafeInteger(value))
    } catch {
      return undefined
    }
  }

  /** Returns the member `name` of the body; undefined if the body is not a JSON object or lacks the member. */
  member(name: string): unknown {
    return objectIn(this.json)[name]
  }

  /** True if the status is 2xx. */
  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** Status code as text, or the reason why no response arrived. */
  get outcome(): string {
    return this.status === 0 ? (this.trouble ?? 'no answer') : String(this.status)
  }

  /** Returns the exchange as text for a report, with the token masked. */
  recorded(): Recorded {
    const head = this.fields.map(([name, value]) => `${name}: ${value}`).join('\n')
    const response = `HTTP/1.1 ${this.status}\n${head}\n\n${cut(this.text, RESPONSE_CHARACTERS)}`
    const trouble = this.trouble === undefined ? '' : `(${this.trouble})`
    // Reports are shared, so the token must not appear in them.
    const sent = this.sent.toString().replace(/^(authorization: \S+).*$/im, '$1 (not shown)')
    return {
      request: `${cut(sent, REQUEST_CHARACTERS)}\n(to ${this.origin})`,
      response: this.status === 0 ? trouble : response + (trouble && `\n${trouble}`),
    }
  }
}

function decoded(body: Buffer, coding: string): Buffer | undefined {
  try {
    return DECODERS.get(coding)?.(body)
  } catch {
    return undefined
  }
}

/** Maximum number of characters of a request that a report shows. Only deliberately oversized requests exceed it. */
const REQUEST_CHARACTERS = 3_000
const RESPONSE_CHARACTERS = 3_000

/** Truncates `text` to `characters` UTF-16 code units and appends how many were omitted. Leaves shorter text unchanged. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  return `${text.slice(0, characters)}… (${text.length - characters} more characters)`
}
