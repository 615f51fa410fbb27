/** Digests of the inputs of a load, used to skip unchanged sources. */
import { createHash, type Hash, hash } from 'node:crypto'
import type { Source, WorldDefinition } from '../definition/definition.ts'
import type { OnInvalid } from '../definition/settings.ts'
import type { RecordSource } from '../input/record-source.ts'
import type { Join, Mapping } from '../mapping/mapping.ts'
import type { ImportSource } from './options.ts'

/** Version of the readers, incremented when they would produce different entities from the same files. */
const READER_VERSION = 5

/** Digests of all data from which entities are made. */
export interface Fingerprint {
  /** Digest of the definition's sources and types. */
  readonly definition: string
  /** Digest of the files' bytes. */
  readonly files: string
}

/** Digests of names and bytes, by mapping, which is a source of the definition or one of its joins. A folder has one. */
export type Digests = ReadonlyMap<ImportSource | Mapping | Join, string>

/** Returns the digest of the bytes of a source and of the files that it joins, or undefined if they were not all read. */
export function bytesDigest(digests: Digests, source: Source): string | undefined {
  const found = [source, ...(source.join ?? [])].map((one) => digests.get(one))
  return found.includes(undefined) ? undefined : found.join(' ')
}

/** The parts of a definition and the settings from which entities are made. */
export interface Reading {
  readonly definition: WorldDefinition
  readonly onInvalid: OnInvalid
}

/** Returns the digests of all data from which entities are made. */
export function fingerprintOf({ definition, onInvalid }: Reading, digests: Digests): Fingerprint {
  const { sources, missing } = definition
  return {
    definition: digestOf([READER_VERSION, sources, missing, schemasIn(definition), onInvalid]),
    files: digestOf(sources.map((source) => bytesDigest(digests, source))),
  }
}

/** Returns the digest of all data from which one source makes entities of these types. `bytes` is the digest of its bytes. */
export function sourceDigest(
  { definition, onInvalid }: Reading,
  source: Source,
  types: readonly string[],
  bytes: string | undefined,
): string {
  const { sources, missing } = definition
  // Foreign keys refer to tables that other sources load.
  const tables = 'file' in source ? [] : sources.filter((one) => !('file' in one))
  const schemas = schemasIn(definition).filter(({ type }) => types.includes(type))
  return digestOf([READER_VERSION, source, tables, missing, schemas, onInvalid, bytes])
}

/** Reads the sources and the files that they join, and returns their digests. @throws SourceFault if one is missing */
export async function digestsOf(sources: readonly ImportSource[]): Promise<Digests> {
  const joined = [...(sources[0]?.joined?.values() ?? [])].flat()
  const read = digested([
    ...sources,
    ...joined.map(({ join, source }) => ({ mapping: join as Mapping, source })),
  ])
  for (const { source } of read.sources) for await (const _ of source.bytes);
  return read.digests()
}

/**
 * Wraps sources so that they are digested as they are read, one after another. `digests` returns the digests of those that
 * were read to their end.
 */
export function digested(sources: readonly ImportSource[]) {
  const started = new Map<ImportSource | Mapping, { readonly hash: Hash; unread: number }>()
  function wrapped(one: ImportSource): ImportSource {
    const { mapping = one, source } = one
    const digest = started.get(mapping) ?? { hash: createHash('sha256'), unread: 0 }
    digest.unread += 1
    started.set(mapping, digest)
    return { ...one, source: { ...source, bytes: bytesOf(source, digest) } }
  }
  return {
    sources: sources.map(wrapped),
    digests(): Digests {
      const read = [...started].filter(([, { unread }]) => unread === 0)
      return new Map(read.map(([mapping, { hash }]) => [mapping, hash.copy().digest('base64url')]))
    },
  }
}

async function* bytesOf(
  { name, bytes }: RecordSource,
  digest: { readonly hash: Hash; unread: number },
): AsyncGenerator<Uint8Array> {
  digest.hash.update(`\0${name}\0`)
  for await (const chunk of bytes) {
    digest.hash.update(chunk)
    yield chunk
  }
  digest.unread -= 1
}

function schemasIn({ types }: WorldDefinition) {
  return types.map(({ type, schema, precedence: owner }) => ({ type, schema, owner }))
}

function digestOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url')
}
