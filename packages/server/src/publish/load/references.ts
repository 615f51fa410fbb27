/** References that lead nowhere: collected while records are read, looked up once all of them are stored. */
import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { Storage } from '../../storage/contract.ts'
import { pointerTo } from '../read/json-text.ts'

/** A reference to an entity that does not exist, and the first entity found to hold it. */
export interface Dangling {
  readonly type: string
  readonly id: string
  readonly from: { readonly type: string; readonly id: string; readonly pointer: string }
}

/** What became of the references that were read. */
export interface DanglingReport {
  /** The first twenty. */
  readonly dangling: readonly Dangling[]
  readonly count: number
  /** There were more different references than are held in memory; `world verify` looks at all. */
  readonly incomplete: boolean
}

/** Different references held at most, so that memory stays constant. */
const MAX_HELD = 200_000

const KEPT = 20

/** Collects references. Those into other worlds are not looked up. */
export class ReferenceCollector {
  readonly #held = new Map<string, Dangling>()
  #overflow = false

  /** Notes every reference in an entity's attributes. */
  add(entity: Entity): void {
    this.#walk(entity.attributes, '/attributes', entity)
  }

  /** Looks all of them up. */
  async report(storage: Storage): Promise<DanglingReport> {
    const dangling: Dangling[] = []
    let count = 0
    for (const reference of this.#held.values()) {
      if ((await storage.get(reference.type, reference.id)) !== undefined) continue
      count += 1
      if (dangling.length < KEPT) dangling.push(reference)
    }
    return { dangling, count, incomplete: this.#overflow }
  }

  #walk(value: JsonValue, pointer: string, entity: Entity): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const element = value[index]
        if (typeof element === 'object') this.#walk(element, `${pointer}/${index}`, entity)
      }
      return
    }
    const { type, id } = value
    if (typeof type === 'string' && typeof id === 'string' && isReference(value)) {
      this.#hold(type, id, pointer, entity)
      return
    }
    for (const key of Object.keys(value)) {
      const member = value[key]
      if (typeof member === 'object' && member !== null) this.#walk(member, pointerTo(pointer, key), entity)
    }
  }

  #hold(type: string, id: string, pointer: string, entity: Entity): void {
    const key = `${type}\n${id}`
    if (this.#held.has(key)) return
    if (this.#held.size >= MAX_HELD) this.#overflow = true
    else this.#held.set(key, { type, id, from: { type: entity.type, id: entity.id, pointer } })
  }
}

/** An object of type and id and nothing else (decisions 2); one with `world` leads elsewhere. */
function isReference(value: { readonly [key: string]: JsonValue }): boolean {
  return Object.keys(value).length === 2 && /^[^:]+:[^:]+$/.test(String(value['type']))
}
