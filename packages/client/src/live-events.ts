/**
 * A single event stream of a world, from request to end.
 */

import { within } from './deadline.ts'
import { settingsOf, type WorldData } from './discovery.ts'
import { fail } from './error.ts'
import { EventStreamParser, type StreamEvent } from './event-stream.ts'
import { type Fetch, follow } from './redirect.ts'
import { errorOf } from './request.ts'
import { errorFrom, jsonFrom } from './response.ts'

/** Media type of an event stream. */
export const EVENT_STREAM = 'text/event-stream'
// Maximum silence on a stream, in milliseconds: three heartbeat intervals of an idle world.
const SILENCE = 45_000
const MAX_ERROR_BYTES = 2 ** 20

/**
 * Yields the events of a stream in batches as they arrive, and an empty batch for a heartbeat. Ends with the stream. Throws
 * if the stream cannot be opened, breaks or is silent for too long.
 */
export async function* liveEvents(
  world: WorldData,
  url: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent[], void, undefined> {
  const ending = new AbortController()
  const parser = new EventStreamParser()
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  try {
    for (;;) {
      const { value } = await within(SILENCE, signal, async () => {
        reader ??= await open(world, url, ending.signal)
        return reader.read()
      })
      if (!value) return
      yield parser.push(value)
    }
  } catch (error) {
    throw Object.assign(errorOf(error), { url })
  } finally {
    ending.abort()
    // Not awaited, because nothing depends on the result.
    reader?.cancel().catch(() => {})
  }
}

async function open(
  world: WorldData,
  url: string,
  signal: AbortSignal,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const { fetch = globalThis.fetch as Fetch, authorization, ...settings } = settingsOf(world)
  const plain = { accept: EVENT_STREAM }
  const headers = { ...settings.headers, ...plain, ...(authorization && { authorization }) }
  const response = await follow(fetch, url, { method: 'GET', headers, signal }, plain)
  const { ok, body, status } = response
  if (!ok)
    throw Object.assign(errorFrom(response, await jsonFrom(response, MAX_ERROR_BYTES, () => {})), { status })
  if (body && response.headers.get('content-type')?.startsWith(EVENT_STREAM)) return body.getReader()
  body?.cancel().catch(() => {})
  return fail('invalid_response')
}
