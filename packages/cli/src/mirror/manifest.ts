/** Manifest of a mirror: its origin, progress and files. */
import type { JsonValue } from '@worldwright/client/protocol'
import type { Reading } from './reading.ts'

/** Name of the manifest file in a mirror folder. */
export const MANIFEST = 'mirror.json'

/** Manifest format, which readers of mirrors must check. */
export const MANIFEST_FORMAT = 'worldwright-mirror/1'

/** File with the entities of one type. */
export interface MirroredType {
  /** Path relative to the folder. The file contains one entity per line, in ascending order of ids. */
  readonly file: string
  readonly entities: number
  readonly bytes: number
  /** SHA-256 of the file, in hexadecimal. */
  readonly sha256: string
}

/** State of a mirror, as stored in `mirror.json`. */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT
  /** Origin that the world was read from. */
  readonly origin: string
  /** Values declared by the world; each is absent if the world does not declare it. */
  readonly world: { readonly id?: string; readonly name?: string; readonly license?: JsonValue }
  /** Start time of the run that wrote this manifest, in RFC 3339 UTC. */
  readonly mirroredAt: string
  /** Position of the last change, and the offset to resume from. Present if the world publishes changes. */
  readonly changes?: { readonly position: string; readonly next: string }
  /** Entity tag of the first page of each type; absent if changes are used or the world sends no entity tags. */
  readonly etags?: Readonly<Record<string, string>>
  /** Number of entities in all files. */
  readonly entities: number
  /** Files by type, in ascending order. A type without entities has no file. */
  readonly types: Readonly<Record<string, MirroredType>>
  /** Statement of the run that wrote this manifest; absent in mirrors of older versions. */
  readonly reading?: Reading
}
