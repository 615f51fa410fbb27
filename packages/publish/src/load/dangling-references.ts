/** Finds dangling references, which are collected as records are read and looked up once all records are stored. */
import { type Entity, type EntityRef, visitReferences } from '@worldwright/client/protocol'
import type { Store } from '@worldwright/core/store'

/** A reference to a nonexistent entity, and the first entity in which it was found. */
export interface Dangling {
  readonly type: string
  readonly id: string
  readonly from: { readonly type: string; readonly id: string; readonly pointer: string }
}

/** Report of the dangling references in a load. */
export interface DanglingReport {
  /** First twenty dangling references. */
  readonly dangling: readonly Dangling[]
  readonly count: number
  /** Set if there were more distinct references than fit in memory. `world verify` checks all of them. */
  readonly incomplete: boolean
}

/** Maximum number of distinct references collected, to bound memory use. */
const MAX_HELD = 200_000

const KEPT = 20

/** Collects references. References to other worlds are not looked up. */
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

  /** Looks up all collected references in the store. */
  async report(store: Store): Promise<DanglingReport> {
    const dangling: Dangling[] = []
    let count = 0
    for (const reference of this.#held.values()) {
      if ((await store.get(reference.type, reference.id)) !== undefined) continue
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
