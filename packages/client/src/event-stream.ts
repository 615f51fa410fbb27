/**
 * Event streams (HTML Standard, server-sent events), read from the body of a response.
 */
import { fail } from './error.ts'

/** One event of a stream. */
export interface StreamEvent {
  /** Its name; `message` if it has none. */
  readonly event: string
  readonly data: string
}

// Maximum size of an event: an entity may have a megabyte, and its JSON several.
const MAX_EVENT_CHARACTERS = 2 ** 24

/**
 * Parses the events of a stream whose bytes arrive in pieces. An event that is incomplete at the end is dropped. One that is
 * larger than 16 Mi characters is `response_too_large`.
 */
export class EventStreamParser {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #event = ''
  #data: string[] = []
  #size = 0

  /** Takes the next bytes and returns the events that they complete, in order. */
  push(bytes: Uint8Array): StreamEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true })
    // A long line that arrives in many pieces is scanned once.
    const endsLine = /[\r\n]/.test(text) || this.#rest.endsWith('\r')
    this.#rest += text
    const events = endsLine ? this.#lines().flatMap((line) => this.#line(line) ?? []) : []
    if (this.#size + this.#rest.length > MAX_EVENT_CHARACTERS)
      fail('response_too_large', { maxCharacters: MAX_EVENT_CHARACTERS })
    return events
  }

  #lines(): string[] {
    // A carriage return at the end may be the first half of a line end.
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
