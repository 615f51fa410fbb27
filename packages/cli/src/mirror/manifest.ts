/** The manifest of a mirror: where it comes from, how far it has come, and which files it has. */
import type { JsonValue } from '@worldwright/client/protocol'

/** The name of the file in the folder of a mirror. */
export const MANIFEST = 'mirror.json'

/** What a reader of mirrors has to understand. */
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
  /** Where the world was read. */
  readonly origin: string
  /** As the world said them; absent if it did not. */
  readonly world: { readonly id?: string; readonly name?: string; readonly license?: JsonValue }
  /** When the world was seen to be as the files are, RFC 3339 UTC. */
  readonly mirroredAt: string
  /** Where the world says what changes in it: its position, and the token that goes on from there. */
  readonly changes?: { readonly position: string; readonly next: string }
  /** Else the entity tag of each type's first page, where the world gives them. */
  readonly etags?: Readonly<Record<string, string>>
  /** In all files. */
  readonly entities: number
  /** By type, ascending. A type without entities has no file. */
  readonly types: Readonly<Record<string, MirroredType>>
}
