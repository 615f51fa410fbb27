/** Entity types of a world, cached between changes of the store. */
import { type EntityTypeDescription, typeFault } from '@worldwright/client/protocol'
import type { MaybePromise, Source } from '../store/contract.ts'

/** Entity types of a world, or a function to reread them after the store has changed. Types may be added, never removed. */
export type TypeSource =
  | readonly EntityTypeDescription[]
  | (() => MaybePromise<readonly EntityTypeDescription[]>)

/** A world's types at one point in time. */
export interface TypeList {
  /** Ascending by type. */
  readonly list: readonly EntityTypeDescription[]
  readonly names: readonly string[]
  has(type: string): boolean
}

/** Cache of a world's types. Types given as a function are reread after the store has changed. */
export class KnownTypes {
  readonly #source: TypeSource
  readonly #store: Pick<Source, 'version'>
  #version: string | undefined
  #list: TypeList

  /** @throws TypeError for an invalid or repeated type name in a fixed list */
  constructor(source: TypeSource, store: Pick<Source, 'version'>) {
    this.#source = source
    this.#store = store
    this.#list = typeListFrom(typeof source === 'function' ? [] : source)
    requireTypeNames(this.#list.names)
  }

  /** Reports whether the cached list contains a type. Once true, the result stays true, because types are never removed. */
  wasThere(type: string): boolean {
    return this.#list.has(type)
  }

  /** Returns the current types. The result is the same object until a type changes. */
  async current(): Promise<TypeList> {
    if (typeof this.#source !== 'function') return this.#list
    const version = await this.#store.version()
    // The version is read first, so that a write in between makes the next call reread the types.
    if (version !== this.#version) {
      const next = typeListFrom(await this.#source())
      if (JSON.stringify(next.list) !== JSON.stringify(this.#list.list)) this.#list = next
      this.#version = version
    }
    return this.#list
  }
}

function requireTypeNames(names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    if (typeFault(name) !== undefined)
      throw new TypeError(`An entity type has a name such as prefix:name; ${JSON.stringify(name)} is none`)
    if (name === names[index - 1]) throw new TypeError(`Two entity types have the name ${name}`)
  }
}

function typeListFrom(descriptions: readonly EntityTypeDescription[]): TypeList {
  const list = descriptions.toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const names = list.map((description) => description.type)
  const set = new Set(names)
  return { list, names, has: (type) => set.has(type) }
}
