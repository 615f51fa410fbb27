/** One event of a stream. */
export interface ServerSentEvent {
  readonly name: string
  readonly data: string
}

/** Characters of one event at most: it comes without its entity. */
const MAX_EVENT = 1024 * 1024

/** The events of a `text/event-stream`, in their order; undefined for each comment, which is a sign of life. */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent | undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  let name = 'message'
  let data: string[] = []
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true })
    if (rest.length > MAX_EVENT) throw new RangeError('An event is too long.')
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (line === '' && data.length > 0) yield { name, data: data.join('\n') }
      if (line === '') {
        name = 'message'
        data = []
      } else if (field === '') yield undefined
      else if (field === 'event') name = value
      else if (field === 'data') data.push(value)
    }
  }
}
