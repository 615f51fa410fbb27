/** Dangling references: collected while records are read, looked up once all of them are stored. */
import { type Entity, type EntityRef, visitReferences } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'

/** A reference to an entity that does not exist, and the first entity found to hold it. */
export interface Dangling {
  readonly type: string
  readonly id: string
  readonly from: { readonly type: string; readonly id: string; readonly pointer: string }
}

/** Report of the dangling references of a load. */
export interface DanglingReport {
  /** The first twenty. */
  readonly dangling: readonly Dangling[]
  readonly count: number
  /** There were more distinct references than are held in memory; `world verify` checks all. */
  readonly incomplete: boolean
}

/** Maximum number of distinct references held, so that memory stays bounded. */
const MAX_HELD = 200_000

const KEPT = 20

/** Collects references. Those to other worlds are not looked up. */
export class ReferenceCollector {
  readonly #held = new Map<string, Dangling>()
  #overflow = false

  /** Adds every reference in an entity's attributes. */
  add(entity: Entity): void {
    visitReferences(
      entity.attributes,
      (reference, pointer) => this.#hold(reference, pointer, entity),
      '/attributes',
    )
  }

  /** Looks up all references that were added. */
  async report(storage: Store): Promise<DanglingReport> {
    const dangling: Dangling[] = []
    let count = 0
    for (const reference of this.#held.values()) {
      if ((await storage.get(reference.type, reference.id)) !== undefined) continue
      count += 1
      if (dangling.length < KEPT) dangling.push(reference)
    }
    return { dangling, count, incomplete: this.#overflow }
  }

  #hold({ type, id }: EntityRef, pointer: string, entity: Entity): void {
    const key = `${type}\n${id}`
    if (this.#held.has(key)) return
    if (this.#held.size >= MAX_HELD) this.#overflow = true
    else this.#held.set(key, { type, id, from: { type: entity.type, id: entity.id, pointer } })
  }
}
