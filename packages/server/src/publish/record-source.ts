/** Where records come from: a file or a stream, plain or gzipped, as bytes. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Bytes that hold records, under the name that messages call them by. */
export interface RecordSource {
  readonly name: string
  /** How many bytes `bytes` gives, where that is known beforehand. */
  readonly size?: number
  /** To be read at most once. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A source that cannot be read: missing, a folder, or damaged while being unpacked. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
}

/** A large block keeps the number of turns per megabyte small. */
const BLOCK_BYTES = 512 * 1024

/**
 * A file as a source.
 * @throws SourceFault where there is no such file.
 */
export async function sourceFromFile(file: string, name: string = file): Promise<RecordSource> {
  const state = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : cause.message
    throw new SourceFault(`${name}: ${why}.`, { cause })
  })
  if (state.isDirectory()) throw new SourceFault(`${name}: this is a folder; name the files in it.`)
  const bytes = createReadStream(file, { highWaterMark: BLOCK_BYTES })
  // A pipe or device has a size of 0 that means nothing.
  return state.isFile() ? { name, size: state.size, bytes } : { name, bytes }
}

/**
 * A source's bytes, unpacked if they begin as gzip does, whatever the source is called.
 * `onBytes` hears of bytes as they are taken from the source, before unpacking.
 * @throws SourceFault while being read, where the source breaks or its gzip data is damaged or cut short.
 */
export async function* unpackedBytes(
  source: RecordSource,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const chunks = counted(source.bytes, onBytes)[Symbol.asyncIterator]()
  const head = await headOf(chunks)
  const rest = prepended(head, chunks)
  try {
    yield* head[0] === 0x1f && head[1] === 0x8b ? gunzipped(rest) : rest
  } catch (cause) {
    throw new SourceFault(`${source.name}: ${(cause as Error).message}.`, { cause })
  } finally {
    await chunks.return?.()
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of bytes) {
    onBytes(chunk.byteLength)
    yield chunk
  }
}

/** The first chunks as one, until there are two bytes to tell gzip by or no more at all. */
async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array()
  while (head.length < 2) {
    const next = await chunks.next()
    if (next.done) break
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value])
  }
  return head
}

async function* prepended(head: Uint8Array, chunks: AsyncIterator<Uint8Array>) {
  if (head.length > 0) yield head
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

function gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES })
  // The callback keeps a failure of either side from being unhandled; the reader gets it from the stream itself.
  pipeline(Readable.from(bytes, { objectMode: true }), gunzip, () => {})
  return gunzip
}
