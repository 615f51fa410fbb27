/** Sources of records as bytes of a file or stream, plain or gzipped. */
import { createReadStream, type Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { gunzipped } from '@worldwright/entities'
import { joined, peek } from '../bytes/bytes.ts'
import { SourceFault } from '../bytes/source-fault.ts'
import { formatsOfFile } from '../formats/formats.ts'
import { withoutEnding } from './file-name.ts'
import { bytesOfPipe } from './pipe.ts'

/** Bytes that contain records, and their name in messages. */
export interface RecordSource {
  readonly name: string
  /** Number of bytes in `bytes`, if known in advance. */
  readonly size?: number
  /** Id of the record if the source is a single record whose text has no id. */
  readonly id?: string
  /** Content, which can be read only once. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Set if the source itself fails when a required column is missing. A column that no record has is then merely empty. */
  readonly checksColumns?: true
  /** Sentences on what the source holds and its bytes do not, without their full stops; complete once all is read. */
  readonly notes?: readonly string[]
  /** Releases the resources of the source. Must be called after the last read. */
  readonly close?: () => Promise<void>
}

/** File name suffix of lists of rejected records. Such files are skipped in a folder of sources. */
export const REJECTED = '.rejected.ndjson'

/** Name of the schema file that is placed beside a definition for editors. */
export const SCHEMA_NAME = 'world.schema.json'

/** Returns the absolute paths of a definition and its schema, which are not sources even in a folder of sources. */
export function definitionFiles(definition: string): string[] {
  return [definition, join(dirname(definition), SCHEMA_NAME)]
}

/** Reports whether a file name has the extension of a format and is not the name of a list of rejected records. */
export function isDataFile(name: string): boolean {
  return !name.endsWith(REJECTED) && formatsOfFile(name).length > 0
}

/** Options for finding and reading the sources at a path. */
export interface PathOptions {
  /** Files to skip in a folder of sources, as absolute paths. */
  readonly except?: readonly string[]
  /** Signal that ends a named pipe, even if its writers do not. */
  readonly signal?: AbortSignal | undefined
}

/** Number of bytes per read. Large blocks take fewer turns of the event loop per megabyte. */
const BLOCK_BYTES = 512 * 1024

/**
 * Returns a file as a source. Reading its bytes opens it.
 * @throws SourceFault if the file does not exist
 */
export async function sourceFromFile(
  file: string,
  name: string = file,
  { signal }: PathOptions = {},
): Promise<RecordSource> {
  const state = await stateOf(file, name)
  if (state.isDirectory()) throw new SourceFault(`${name}: this is a folder; name the files in it.`)
  // The size of a pipe or device is reported as 0, which is meaningless.
  if (state.isFIFO()) return { name, bytes: bytesOfPipe(file, signal) }
  return { name, ...(state.isFile() && { size: state.size }), bytes: bytesOf(file) }
}

/**
 * Returns the sources at a path: the file itself or, for a folder, all files in and below it whose names have the extension
 * of a format, sorted by name and without lists of rejected records. The id of a file that is one record is its path within
 * the folder, without the extension.
 * @throws SourceFault if nothing exists at the path, or a folder contains no such file
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

/** Opens a file only when it is read, because a folder may contain more files than a process may have open. */
async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file, { highWaterMark: BLOCK_BYTES })
}

/**
 * Yields the bytes of a source, decompressed if they begin like gzip, regardless of its name. `onBytes` is called with the
 * number of bytes read from the source, before decompression.
 * @throws SourceFault while reading, if the source fails or its gzip data is damaged or truncated
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
    if (cause instanceof SourceFault) throw cause
    throw new SourceFault(`${source.name}: ${(cause as Error).message}.`, { cause })
  }
}

async function* counted(bytes: AsyncIterable<Uint8Array>, onBytes: (count: number) => void) {
  for await (const chunk of bytes) {
    onBytes(chunk.byteLength)
    yield chunk
  }
}
