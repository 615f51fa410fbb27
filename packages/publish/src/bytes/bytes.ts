/** Peeks at the first bytes of a stream, or reads a whole stream. */
import { SourceFault } from './source-fault.ts'

/** A stream whose first bytes are known. */
export interface Peeked {
  /** At least as many bytes as requested, or the whole stream if it is shorter. */
  readonly head: Buffer
  /** The rest of the stream. */
  readonly rest: AsyncIterator<Uint8Array>
}

/** Reads the first bytes of a stream. Passing the result to `joined` yields the whole stream again. */
export async function peek(stream: AsyncIterable<Uint8Array>, atLeast: number): Promise<Peeked> {
  const rest = stream[Symbol.asyncIterator]()
  const parts: Uint8Array[] = []
  for (let length = 0; length < atLeast; ) {
    const next = await rest.next()
    if (next.done) break
    parts.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(parts), rest }
}

/** Yields the head of a peeked stream, then the rest. */
export async function* joined({ head, rest }: Peeked): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** Returns all bytes of a stream. If there are more than `maxBytes`, returns undefined and leaves the rest unread. */
export async function allOf(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length > maxBytes) return undefined
    parts.push(chunk)
  }
  return Buffer.concat(parts)
}

/** Returns all bytes of a source. @throws SourceFault if there are more than `maxBytes` */
export async function wholeOf(
  { name, bytes }: { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> },
  maxBytes: number,
): Promise<Buffer> {
  const whole = await allOf(bytes, maxBytes)
  if (whole) return whole
  throw new SourceFault(
    `${name}: the file is larger than ${maxBytes} bytes. Export it as CSV, which may have any size.`,
  )
}
