/** Tracks entities that are kept because rejected records may represent them. */
import { idFault } from '@worldwright/client/protocol'
import type { EntityKey } from '@worldwright/core/store'

/** Reason for keeping entities that are missing from the sources. */
export type KeptReason =
  /** Rejected records have the ids of these entities. */
  | 'rejected'
  /** The id of a rejected record is unreadable, so the record may represent any of these entities. */
  | 'unreadable'
  /** A source is empty, as after a truncated save. */
  | 'empty'
  /** The definition has lost a source that filled the type. */
  | 'source_gone'

/** Entities of one type that are kept although they are missing from the sources. */
export interface Kept {
  readonly type: string
  readonly count: number
  readonly why: KeptReason
}

/** Maximum number of ids collected for rejected records of unknown type. Beyond it, every type is in doubt. */
const MAX_IDS = 10_000

/** Collects reasons to keep missing entities as records are read. */
export class Doubts {
  readonly #unsure = new Map<string, 'unreadable' | 'empty'>()
  #allUnsure: 'unreadable' | 'empty' | undefined
  #keys: EntityKey[] = []
  readonly #ids = new Set<string>()
  /** True once a rejected record with a readable id has been noted. */
  hasKeys = false

  /** Notes a rejected record. `types` are its possible types, or empty if unknown. */
  rejected(types: readonly string[], id: unknown): void {
    if (typeof id !== 'string' || idFault(id) !== undefined) {
      this.unsure(types, 'unreadable')
      return
    }
    this.hasKeys = true
    if (types.length > 0) this.#keys.push(...types.map((type) => ({ type, id })))
    else if (this.#ids.size < MAX_IDS) this.#ids.add(id)
    else this.unsure([], 'unreadable')
  }

  /** Notes that the sources may contain unread entities of these types. An empty array means all types. */
  unsure(types: readonly string[], why: 'unreadable' | 'empty'): void {
    if (types.length === 0 && this.#allUnsure !== 'unreadable') this.#allUnsure = why
    for (const type of types) if (this.#unsure.get(type) !== 'unreadable') this.#unsure.set(type, why)
  }

  /** Returns the reason why entities of a type must not be deleted, or undefined if deletion is safe. */
  whyUnsure(type: string): 'unreadable' | 'empty' | undefined {
    return this.#unsure.get(type) ?? this.#allUnsure
  }

  /** Returns the keys of entities to keep that were added since the last call. */
  takeKeys(): readonly EntityKey[] {
    const keys = this.#keys
    this.#keys = []
    return keys
  }

  /** Returns the keys of entities to keep for rejected records of unknown type, one per id and type in `types`. */
  keysIn(types: readonly string[]): EntityKey[] {
    return types.flatMap((type) => [...this.#ids].map((id) => ({ type, id })))
  }
}
