/** A cheap reader of event streams, so that a thousand on one machine do not delay each other. */
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A change as an event of the change log. */
export interface ReadChange {
  readonly op: 'put' | 'delete' | 'leave'
  readonly id: string
  readonly position: string
}

/**
 * Reads the events of a URL until the signal aborts, and reconnects when a connection ends. `since` is the offset to
 * start after. Rejects for any answer but 200 and 503, and for an offset that has expired.
 */
export async function readEvents(
  url: URL,
  since: string,
  signal: AbortSignal,
  note: (change: ReadChange) => void,
): Promise<void> {
  for (let offset = since; !signal.aborted; await pause(50 + Math.random() * 200)) {
    url.searchParams.set('since', offset)
    const response = await opened(url, signal)
    if (response === undefined || response.statusCode === 503) continue
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
    let text = ''
    try {
      for await (const piece of response.setEncoding('utf8')) {
        const events = `${text}${piece}`.split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) {
          const fields = new Map(event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line]))
          const [id, name, data] = ['id', 'event', 'data'].map((field) =>
            fields.get(field)?.slice(field.length + 2),
          )
          if (name === 'expired') throw new RangeError(`The offset of ${url} has expired.`)
          if (name === 'change') note(JSON.parse(data ?? ''))
          offset = id ?? offset
        }
      }
    } catch (error) {
      if (error instanceof RangeError) throw error
    }
  }
}

/** Opens a connection. Resolves with undefined if it is refused. */
function opened(url: URL, signal: AbortSignal): Promise<IncomingMessage | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { headers: { accept: 'text/event-stream' }, agent: false, signal }, resolve)
    request.on('error', () => resolve(undefined))
  })
}
