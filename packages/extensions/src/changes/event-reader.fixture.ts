import assert from 'node:assert/strict'
/** Event as received by a client. */
export interface SeenEvent {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever it holds.
  readonly data: any
}

/** Yields the events of a stream, except heartbeats, until it ends. */
export async function* eventsIn(
  pieces: AsyncIterable<Uint8Array | string>,
  onHeartbeat: () => void = () => {},
): AsyncGenerator<SeenEvent> {
  let text = ''
  for await (const piece of pieces) {
    text += Buffer.from(piece).toString()
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      if (block === ':') onHeartbeat()
      else yield eventFrom(block)
    }
  }
}

function eventFrom(block: string): SeenEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: JSON.parse(fields.get('data') ?? ''),
  }
}

/** Returns the next events, up to and including the first that matches `last`. */
export async function until(events: AsyncGenerator<SeenEvent>, last: (event: SeenEvent) => boolean) {
  const seen: SeenEvent[] = []
  for (;;) {
    const { value, done } = await events.next()
    if (done) assert.fail(`the stream ended after ${JSON.stringify(seen)}`)
    seen.push(value)
    if (last(value)) return seen
  }
}

/** Reports whether an event has the position of the log. */
export function isPosition({ event }: SeenEvent): boolean {
  return event === 'position'
}

/** Returns an event's name or, for a change, its kind and the entity's id. */
export function named({ event, data }: SeenEvent): string {
  return event === 'change' ? `${data.op} ${data.id}` : event
}
