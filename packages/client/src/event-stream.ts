/**
 * Parser for event streams (HTML Standard, server-sent events).
 */
import { fail } from './error.ts'

/** One event of a stream. */
export interface StreamEvent {
  /** Event name; `message` if the stream gives none. */
  readonly event: string
  readonly data: string
}

// Maximum event size, in characters. Generous: an entity can be a megabyte, and several times that as JSON.
const MAX_EVENT_CHARACTERS = 2 ** 24

/**
 * Parser for a stream whose bytes arrive in chunks. An event that is incomplete when the stream ends is dropped. An event of
 * more than 16 Mi characters fails with `response_too_large`.
 */
export class EventStreamParser {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #event = ''
  #data: string[] = []
  #size = 0

  /** Parses the next chunk and returns the events that it completes, in order. */
  push(bytes: Uint8Array): StreamEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    // Splits the text only once a line ends, so that a long line in many chunks is not scanned repeatedly.
    const endsLine = /[\r\n]/.test(text) || this.#rest.endsWith('\r')
    this.#rest += text
    const events = endsLine ? this.#lines().flatMap((line) => this.#line(line) ?? []) : []
    if (this.#size + this.#rest.length > MAX_EVENT_CHARACTERS)
      fail('response_too_large', { maxCharacters: MAX_EVENT_CHARACTERS })
    return events
  }

  #lines(): string[] {
    // A carriage return at the end may be the first half of a CRLF.
    const lines = this.#rest.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines
  }

  #line(line: string): StreamEvent | undefined {
    if (line === '') return this.#end()
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'event') this.#event = value
    if (name === 'data') {
      this.#data.push(value)
      this.#size += value.length
    }
    return undefined
  }

  #end(): StreamEvent | undefined {
    const event = { event: this.#event || 'message', data: this.#data.join('\n') }
    const isComplete = this.#data.length > 0
    this.#event = ''
    this.#data = []
    this.#size = 0
    return isComplete ? event : undefined
  }
}
