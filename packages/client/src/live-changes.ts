/**
 * One event stream of a world's changes, from its request to its end.
 */

import { type Change, changeFrom } from './change.ts'
import { within } from './deadline.ts'
import { settingsOf, type WorldData } from './discovery.ts'
import { fail } from './error.ts'
import { EventStreamParser } from './event-stream.ts'
import { type Fetch, follow } from './redirect.ts'

/** The media type of event streams. */
export const EVENT_STREAM = 'text/event-stream'
// Three of the heartbeats that a world sends when nothing happens (ms).
const SILENCE = 45_000

/**
 * Changes as they happen. Where anything fails the stream ends: what was missed, and why, the next page of changes tells.
 */
export class LiveChanges {
  readonly #ending = new AbortController()
  readonly #parser = new EventStreamParser()
  readonly #world: WorldData
  readonly #url: string
  readonly #signal: AbortSignal | undefined
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  /** A stream from `url`, which is opened with the first `next`. */
  constructor(world: WorldData, url: string, signal: AbortSignal | undefined) {
    this.#world = world
    this.#url = url
    this.#signal = signal
  }

  /** What comes next, in order; none for a heartbeat, undefined if the stream has ended. */
  async next(): Promise<Change[] | undefined> {
    try {
      return await within(SILENCE, this.#signal, () => this.#next())
    } catch {
      return undefined
    }
  }

  /** Ends the stream, if it has not ended by itself. */
  close(): void {
    this.#ending.abort()
    // Not awaited: nothing depends on how the other side takes it.
    this.#reader?.cancel().catch(() => {})
  }

  async #next(): Promise<Change[] | undefined> {
    this.#reader ??= await this.#open()
    const { value } = await this.#reader.read()
    return (
      value &&
      this.#parser
        .push(value)
        .filter(({ event }) => event === 'change')
        .map(({ data }) => changeFrom(JSON.parse(data)))
    )
  }

  async #open(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const { fetch = globalThis.fetch as Fetch, authorization, ...settings } = settingsOf(this.#world)
    const plain = { accept: EVENT_STREAM }
    const headers = { ...settings.headers, ...plain, ...(authorization && { authorization }) }
    const init = { method: 'GET', headers, signal: this.#ending.signal }
    const response = await follow(fetch, this.#url, init, plain)
    const { ok, body } = response
    if (ok && body && response.headers.get('content-type')?.startsWith(EVENT_STREAM)) return body.getReader()
    body?.cancel().catch(() => {})
    return fail('invalid_response')
  }
}
