/** The entity types that a world knows. */
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import type { MaybePromise, Source } from '../store/contract.ts'

/** A world's entity types: fixed, or asked again when the store has changed. Types may come, but not go. */
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

/** Owns what is known of a world's types. If they depend on the data, they are read again when those have changed. */
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

  /** Whether a type was there when last read, which costs nothing and stays true, since types do not go. */
  wasThere(type: string): boolean {
    return this.#list.has(type)
  }

  /** The types as they are now. The same object as long as nothing in them has changed. */
  async current(): Promise<TypeList> {
    if (typeof this.#source !== 'function') return this.#list
    const version = await this.#storage.version()
    // The version is from before the reading: a write in between makes the next call read again.
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
