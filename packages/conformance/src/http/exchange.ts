/** One request and its response: the subject of every judgement of a server. */
import type { Recorded } from '../check/check.ts'
import { objectIn } from '../shapes/json.ts'
import type { RawResponse } from './parse-response.ts'

/** A request as it was sent, and its answer. */
export class Exchange {
  /** The origin to which the bytes were sent. */
  readonly origin: string
  readonly sent: Buffer
  /** 0 if no response came. */
  readonly status: number
  readonly fields: readonly (readonly [string, string])[]
  readonly body: Buffer
  readonly interim: readonly number[]
  /** The reason for the lack of a whole response; undefined if there is one. */
  readonly trouble: string | undefined

  constructor(origin: string, sent: Buffer, response: RawResponse | undefined, trouble?: string) {
    this.origin = origin
    this.sent = sent
    this.status = response?.status ?? 0
    this.fields = response?.fields ?? []
    this.body = response?.body ?? Buffer.alloc(0)
    this.interim = response?.interim ?? []
    this.trouble = trouble
  }

  /** Returns a response header by lower-case name, repeated fields joined with `, `; undefined if absent. */
  header(name: string): string | undefined {
    const values = this.fields.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value)
    return values.length === 0 ? undefined : values.join(', ')
  }

  get text(): string {
    return this.body.toString()
  }

  /** The body as JSON; undefined if it is not JSON, not UTF-8, or begins with a byte order mark. */
  get json(): unknown {
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.body))
    } catch {
      return undefined
    }
  }

  /** Returns a member of the body; undefined if the body is no JSON object with it. */
  member(name: string): unknown {
    return objectIn(this.json)[name]
  }

  /** True for a success (2xx). */
  get succeeded(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** The status as text, or the reason for the lack of one. */
  get outcome(): string {
    return this.status === 0 ? (this.trouble ?? 'no answer') : String(this.status)
  }

  /** Returns the exchange as text for a report. */
  recorded(): Recorded {
    const head = this.fields.map(([name, value]) => `${name}: ${value}`).join('\n')
    const response = `HTTP/1.1 ${this.status}\n${head}\n\n${cut(this.text, RESPONSE_CHARACTERS)}`
    const trouble = this.trouble === undefined ? '' : `(${this.trouble})`
    // Reports are passed on, so the token is masked.
    const sent = this.sent.toString().replace(/^(authorization: \S+).*$/im, '$1 (not shown)')
    return {
      request: `${cut(sent, REQUEST_CHARACTERS)}\n(to ${this.origin})`,
      response: this.status === 0 ? trouble : response + (trouble && `\n${trouble}`),
    }
  }
}

/** Maximum characters shown of a request: enough for any ordinary one; oversized ones are repetitive in the middle. */
const REQUEST_CHARACTERS = 3_000
const RESPONSE_CHARACTERS = 3_000

/** Truncates a text, and notes the number of missing characters. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  return `${text.slice(0, characters)}… (${text.length - characters} more characters)`
}
