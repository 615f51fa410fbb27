/** The manifest of a mirror: its origin, its progress, and its files. */
import type { JsonValue } from '@worldwright/client/protocol'

/** Name of the file in the folder of a mirror. */
export const MANIFEST = 'mirror.json'

/** Format that a reader of mirrors has to understand. */
export const MANIFEST_FORMAT = 'worldwright-mirror/1'

/** The file of one type. */
export interface MirroredType {
  /** Relative to the folder. One entity per line, ascending by id. */
  readonly file: string
  readonly entities: number
  readonly bytes: number
  /** Of the file, hexadecimal. */
  readonly sha256: string
}

/** The state of a mirror as `mirror.json` holds it. */
export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT
  /** Origin that the world was read from. */
  readonly origin: string
  /** As the world states them; absent if it does not. */
  readonly world: { readonly id?: string; readonly name?: string; readonly license?: JsonValue }
  /** Time at which the files matched the world, RFC 3339 UTC. */
  readonly mirroredAt: string
  /** If the world publishes changes: its position, and the token to resume from. */
  readonly changes?: { readonly position: string; readonly next: string }
  /** Otherwise the entity tag of each type's first page, if the world sends them. */
  readonly etags?: Readonly<Record<string, string>>
  /** In all files. */
  readonly entities: number
  /** By type, ascending. A type without entities has no file. */
  readonly types: Readonly<Record<string, MirroredType>>
}
