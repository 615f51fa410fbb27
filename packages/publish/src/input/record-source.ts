/** Where records come from: a file or a stream, plain or gzipped, as bytes. */
import { createReadStream, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { gunzipped } from '@worldwright/entities'
import { joined, peek } from '../bytes/bytes.ts'
import { SourceFault } from '../bytes/source-fault.ts'
import { formatsOfFile } from '../formats/formats.ts'
import { withoutEnding } from './file-name.ts'
import { bytesOfPipe } from './pipe.ts'

/** Bytes that hold records, under the name that messages call them by. */
export interface RecordSource {
  readonly name: string
  /** How many bytes `bytes` gives, if known beforehand. */
  readonly size?: number
  /** What a file that is a record itself is called, where its text does not say. */
  readonly id?: string
  /** To be read at most once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** It fails by itself where it lacks a column that it has to have: one that no record has is empty in all. */
  readonly checksColumns?: true
  /** Ends what it holds open; to be called once nothing more is read of it. */
  readonly close?: () => Promise<void>
}

/** What the names of lists of rejected records end in. In a folder of sources they are skipped. */
export const REJECTED = '.rejected.ndjson'

/** What the schema of definitions is called where it lies beside one, for editors. */
export const SCHEMA_NAME = 'world.schema.json'

/** A definition and its schema, as absolute paths: not sources, even where a folder of sources holds them. */
export function definitionFiles(definition: string): string[] {
  return [definition, join(dirname(definition), SCHEMA_NAME)]
}

/** Tells by its name if a file holds records: it has the ending of a format, and is no list of rejected records. */
export function isDataFile(name: string): boolean {
  return !name.endsWith(REJECTED) && formatsOfFile(name).length > 0
}

/** How the sources at a path are found and read. */
export interface PathOptions {
  /** Files that are no sources where a folder holds them, as absolute paths. */
  readonly except?: readonly string[]
  /** Aborted: a named pipe ends here, whatever its writers do. */
  readonly signal?: AbortSignal | undefined
}

/** Large blocks take few turns of the event loop per megabyte. */
const BLOCK_BYTES = 512 * 1024

/**
 * A file as a source. It is opened when its bytes are asked for.
 * @throws SourceFault where there is no such file.
 */
export async function sourceFromFile(
  file: string,
  name: string = file,
  { signal }: PathOptions = {},
): Promise<RecordSource> {
  const state = await stateOf(file, name)
  if (state.isDirectory()) throw new SourceFault(`${name}: this is a folder; name the files in it.`)
  // A pipe or device has a size of 0 that means nothing.
  if (state.isFIFO()) return { name, bytes: bytesOfPipe(file, signal) }
  return { name, ...(state.isFile() && { size: state.size }), bytes: bytesOf(file) }
}

/**
 * The sources at a path: the file, or of a folder every file in it and below whose name has a format, ascending by
 * name, but for lists of rejected records. A file that is a record itself is called by its path within the
 * folder, without its ending.
 * @throws SourceFault where there is nothing at the path, or a folder holds no such file.
 */
export async function sourcesFromPath(
  path: string,
  name: string = path,
  { except = [], signal }: PathOptions = {},
): Promise<RecordSource[]> {
  const state = await stateOf(path, name)
  if (!state.isDirectory()) return [await sourceFromFile(path, name, { signal })]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(
      (entry) =>
        entry.isFile() &&
        !entry.name.startsWith('.') &&
        isDataFile(entry.name) &&
        !except.includes(join(entry.parentPath, entry.name)),
    )
    .map((entry) => relative(path, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
  if (files.length === 0) throw new SourceFault(`${name}: the folder holds no file of a known format.`)
  return Promise.all(
    files.map(async (file) => ({
      ...(await sourceFromFile(join(path, file), `${name.replace(/\/$/, '')}/${file}`)),
      id: withoutEnding(file).normalize('NFC'),
    })),
  )
}

async function stateOf(path: string, name: string): Promise<Stats> {
  return stat(path).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : cause.message
    throw new SourceFault(`${name}: ${why}.`, { cause })
  })
}

/** Not opened before it is read: a folder may hold more files than a process may have open. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: BLOCK_BYTES })
}

/**
 * A source's bytes, unpacked if they begin as gzip does, whatever the source is called. `onBytes` is called with how
 * many bytes were taken from the source, before unpacking.
 * @throws SourceFault while being read, where the source breaks or its gzip data is damaged or cut short.
 */
export async function* unpackedBytes(
  source: RecordSource,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  try {
    const peeked = await peek(counted(source.bytes, onBytes), 2)
    const [first, second] = peeked.head
    yield* first === 0x1f && second === 0x8b ? gunzipped(joined(peeked), BLOCK_BYTES) : joined(peeked)
  } catch (cause) {
    throw new SourceFault(`${source.name}: ${(cause as Error).message}.`, { cause })
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of bytes) {
    onBytes(chunk.byteLength)
    yield chunk
  }
}
