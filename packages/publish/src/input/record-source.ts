/** Sources of records: a file or a stream, plain or gzipped, as bytes. */
import { createReadStream, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { gunzipped } from '@worldwright/entities'
import { joined, peek } from '../bytes/bytes.ts'
import { SourceFault } from '../bytes/source-fault.ts'
import { formatsOfFile } from '../formats/formats.ts'
import { withoutEnding } from './file-name.ts'
import { bytesOfPipe } from './pipe.ts'

/** Bytes that hold records, and their name in messages. */
export interface RecordSource {
  readonly name: string
  /** Number of bytes in `bytes`, if known beforehand. */
  readonly size?: number
  /** Record id of a file that is one record, if its text has none. */
  readonly id?: string
  /** Readable at most once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** The source itself fails if it lacks a required column, so a column that no record has is empty in all. */
  readonly checksColumns?: true
  /** Closes what the source holds open. The caller calls it after the last read. */
  readonly close?: () => Promise<void>
}

/** Suffix of the names of lists of rejected records. In a folder of sources such files are skipped. */
export const REJECTED = '.rejected.ndjson'

/** File name of the schema of definitions that lies beside one, for editors. */
export const SCHEMA_NAME = 'world.schema.json'

/** Returns the absolute paths of a definition and its schema: they are not sources, even in a folder of sources. */
export function definitionFiles(definition: string): string[] {
  return [definition, join(dirname(definition), SCHEMA_NAME)]
}

/** Reports, by its name, whether a file holds records: it has the ending of a format and is no list of rejected records. */
export function isDataFile(name: string): boolean {
  return !name.endsWith(REJECTED) && formatsOfFile(name).length > 0
}

/** Options for finding and reading the sources at a path. */
export interface PathOptions {
  /** Files to skip in a folder of sources, as absolute paths. */
  readonly except?: readonly string[]
  /** If aborted, a named pipe ends, whatever its writers do. */
  readonly signal?: AbortSignal | undefined
}

/** Bytes per read: large blocks take few turns of the event loop per megabyte. */
const BLOCK_BYTES = 512 * 1024

/**
 * Returns a file as a source. It is opened when its bytes are read.
 * @throws SourceFault if there is no such file.
 */
export async function sourceFromFile(
  file: string,
  name: string = file,
  { signal }: PathOptions = {},
): Promise<RecordSource> {
  const state = await stateOf(file, name)
  if (state.isDirectory()) throw new SourceFault(`${name}: this is a folder; name the files in it.`)
  // The size of a pipe or device is 0, which means nothing.
  if (state.isFIFO()) return { name, bytes: bytesOfPipe(file, signal) }
  return { name, ...(state.isFile() && { size: state.size }), bytes: bytesOf(file) }
}

/**
 * Returns the sources at a path: the file itself, or every file in and below a folder whose name has a format, ascending
 * by name, except lists of rejected records. The id of a file that is one record is its path within the
 * folder, without its ending.
 * @throws SourceFault if there is nothing at the path, or a folder holds no such file.
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

/** Reads a file, opened only then: a folder may hold more files than a process may have open. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: BLOCK_BYTES })
}

/**
 * Yields a source's bytes, unpacked if they begin like gzip, whatever the source is called. `onBytes` is called with the
 * number of bytes read from the source, before unpacking.
 * @throws SourceFault while being read, if the source breaks or its gzip data is damaged or truncated.
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
