/** What rejected records may be, and so what is not deleted although no good record holds it. */
import { idFault } from '@worldwright/client/protocol'
import type { EntityKey } from '@worldwright/core/store'

/** Why entities stay that the sources do not hold. */
export type KeptReason =
  /** Rejected records have their ids. */
  | 'rejected'
  /** Of a rejected record the id cannot be read: it may be any of them. */
  | 'unreadable'
  /** A source has no record at all: a save that was cut short looks like that. */
  | 'empty'
  /** The definition has lost a source that filled the type. */
  | 'source_gone'

/** Entities of one type that stay although the sources do not hold them. */
export interface Kept {
  readonly type: string
  readonly count: number
  readonly why: KeptReason
}

/** Ids of rejected records of unknown type that are remembered; beyond them, any type is in doubt. */
const MAX_IDS = 10_000

/** Collects what is not certain while records are read. */
export class Doubts {
  readonly #unsure = new Map<string, 'unreadable' | 'empty'>()
  #allUnsure: 'unreadable' | 'empty' | undefined
  #keys: EntityKey[] = []
  readonly #ids = new Set<string>()
  /** Whether a rejected record had an id that can be read. */
  hasKeys = false

  /** A record was rejected; `types`: those that it can have, none where that is unknown. */
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

  /** More entities of these types may exist than was read; of all types, if there are none. */
  unsure(types: readonly string[], why: 'unreadable' | 'empty'): void {
    if (types.length === 0 && this.#allUnsure !== 'unreadable') this.#allUnsure = why
    for (const type of types) if (this.#unsure.get(type) !== 'unreadable') this.#unsure.set(type, why)
  }

  /** Why nothing of a type may be deleted; undefined if that is certain. */
  whyUnsure(type: string): 'unreadable' | 'empty' | undefined {
    return this.#unsure.get(type) ?? this.#allUnsure
  }

  /** What to keep since the last call. */
  takeKeys(): readonly EntityKey[] {
    const keys = this.#keys
    this.#keys = []
    return keys
  }

  /** What to keep of records whose type is unknown, where it may be any of these. */
  keysIn(types: readonly string[]): EntityKey[] {
    return types.flatMap((type) => [...this.#ids].map((id) => ({ type, id })))
  }
}
