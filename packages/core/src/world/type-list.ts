/** The entity types that a world knows. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { MaybePromise, Source } from '../store/contract.ts'

/** A world's entity types: fixed, or read again when the store has changed. Types may be added, but not removed. */
export type TypeSource =
  | readonly EntityTypeDescription[]
  | (() => MaybePromise<readonly EntityTypeDescription[]>)

/** The types of a world at one moment. */
export interface TypeList {
  /** Ascending by type. */
  readonly list: readonly EntityTypeDescription[]
  readonly names: readonly string[]
  has(type: string): boolean
}

/** Cache of a world's types. If they depend on the data, they are read again when the data have changed. */
export class KnownTypes {
  readonly #source: TypeSource
  readonly #storage: Pick<Source, 'version'>
  #version: string | undefined
  #list: TypeList

  constructor(source: TypeSource, storage: Pick<Source, 'version'>) {
    this.#source = source
    this.#storage = storage
    this.#list = typeListFrom(typeof source === 'function' ? [] : source)
  }

  /** Reports whether a type existed at the last read. Costs nothing and stays true, since types are not removed. */
  wasThere(type: string): boolean {
    return this.#list.has(type)
  }

  /** Returns the current types: the same object as long as nothing in them has changed. */
  async current(): Promise<TypeList> {
    if (typeof this.#source !== 'function') return this.#list
    const version = await this.#storage.version()
    // The version is read before the types: a write in between makes the next call read again.
    if (version !== this.#version) {
      const next = typeListFrom(await this.#source())
      if (JSON.stringify(next.list) !== JSON.stringify(this.#list.list)) this.#list = next
      this.#version = version
    }
    return this.#list
  }
}

function typeListFrom(descriptions: readonly EntityTypeDescription[]): TypeList {
  const list = descriptions.toSorted((a, b) => (a.type < b.type ? -1 : 1))
  const names = list.map((description) => description.type)
  const set = new Set(names)
  return { list, names, has: (type) => set.has(type) }
}
