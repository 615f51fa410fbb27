/** Entities that rejected records may stand for: these are not deleted although no good record holds them. */
import { idFault } from '@worldwright/client/protocol'
import type { EntityKey } from '@worldwright/core/store'

/** Reason for keeping entities that the sources do not hold. */
export type KeptReason =
  /** Rejected records have their ids. */
  | 'rejected'
  /** The id of a rejected record cannot be read: it may be any of them. */
  | 'unreadable'
  /** A source has no record at all: a truncated save looks like that. */
  | 'empty'
  /** The definition has lost a source that filled the type. */
  | 'source_gone'

/** Entities of one type that stay although the sources do not hold them. */
export interface Kept {
  readonly type: string
  readonly count: number
  readonly why: KeptReason
}

/** Maximum number of ids kept of rejected records of unknown type; beyond it, any type is in doubt. */
const MAX_IDS = 10_000

/** Collects doubts while records are read. */
export class Doubts {
  readonly #unsure = new Map<string, 'unreadable' | 'empty'>()
  #allUnsure: 'unreadable' | 'empty' | undefined
  #keys: EntityKey[] = []
  readonly #ids = new Set<string>()
  /** True once a rejected record had an id that can be read. */
  hasKeys = false

  /** Notes a rejected record. `types`: those that it can have, empty if unknown. */
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

  /** Notes that more entities of these types may exist than were read; of all types, if `types` is empty. */
  unsure(types: readonly string[], why: 'unreadable' | 'empty'): void {
    if (types.length === 0 && this.#allUnsure !== 'unreadable') this.#allUnsure = why
    for (const type of types) if (this.#unsure.get(type) !== 'unreadable') this.#unsure.set(type, why)
  }

  /** Returns why nothing of a type may be deleted; undefined if deletion is safe. */
  whyUnsure(type: string): 'unreadable' | 'empty' | undefined {
    return this.#unsure.get(type) ?? this.#allUnsure
  }

  /** Returns the keys to keep that were added since the last call. */
  takeKeys(): readonly EntityKey[] {
    const keys = this.#keys
    this.#keys = []
    return keys
  }

  /** Returns the keys to keep for records of unknown type, which may have any of these types. */
  keysIn(types: readonly string[]): EntityKey[] {
    return types.flatMap((type) => [...this.#ids].map((id) => ({ type, id })))
  }
}
