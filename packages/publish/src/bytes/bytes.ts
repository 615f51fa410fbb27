/** Streams of bytes: what they begin with, and all of them. */
import { SourceFault } from './source-fault.ts'

/** A stream whose first bytes are known. */
export interface Peeked {
  /** At least as many bytes as were asked for, or all there are. */
  readonly head: Buffer
  /** What comes after them. */
  readonly rest: AsyncIterator<Uint8Array>
}

/** Looks at the first bytes of a stream; `joined` puts it together again. */
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

/** The bytes of a head and of what comes after it. */
export async function* joined({ head, rest }: Peeked): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

/** All bytes of a stream; undefined, and the rest unread, where they are more than `maxBytes`. */
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

/** All bytes of a source. @throws SourceFault if they are more than `maxBytes` */
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
