/** Digests of the inputs of a load, used to skip unchanged sources. */
import { createHash, hash } from 'node:crypto'
import type { WorldDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import type { RecordSource } from '../input/record-source.ts'

/** Version of the readers, incremented when they would produce different entities from the same files. */
const READER_VERSION = 3

/** Digests of all data from which entities are made. */
export interface Fingerprint {
  /** Digest of the definition's sources and types. */
  readonly definition: string
  /** Digest of the files' bytes. */
  readonly files: string
}

/**
 * Reads the sources and returns the digests of all data from which entities are made.
 * @throws SourceFault if a source is missing
 */
export async function fingerprintOf(
  definition: WorldDefinition,
  sources: readonly RecordSource[],
  onInvalid: OnInvalid,
): Promise<Fingerprint> {
  const schemas = definition.types.map(({ type, schema, precedence: owner }) => ({ type, schema, owner }))
  const { sources: defined, missing } = definition
  const reading = JSON.stringify([READER_VERSION, defined, missing, schemas, onInvalid])
  const read = digested(sources)
  for (const { bytes } of read.sources) for await (const _ of bytes);
  return { definition: hash('sha256', reading, 'base64url'), files: read.digest() ?? '' }
}

/**
 * Wraps sources so that they are digested as they are read, one after another. `digest` returns the `files` digest of a
 * fingerprint, or undefined until all sources are read.
 */
export function digested(sources: readonly RecordSource[]) {
  const files = createHash('sha256')
  let unread = sources.length
  async function* bytesOf({ name, bytes }: RecordSource): AsyncGenerator<Uint8Array> {
    files.update(`\0${name}\0`)
    for await (const chunk of bytes) {
      files.update(chunk)
      yield chunk
    }
    unread -= 1
  }
  return {
    sources: sources.map((source): RecordSource => ({ ...source, bytes: bytesOf(source) })),
    digest: () => (unread === 0 ? files.copy().digest('base64url') : undefined),
  }
}
