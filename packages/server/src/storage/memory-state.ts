/** What the memory engine keeps, as one value that a write replaces by the next. */
import type { EntityTable } from './apply.ts'
import type { Metadata, MetadataRecord, StoredEntity, TypeState } from './contract.ts'
import type { EntityChange, IndexChanges } from './index-changes.ts'
import { mintVersion } from './prepared.ts'
import { find, type Sorted, withEntity, withoutEntity } from './sorted.ts'

/** The entities of one type. A type once written stays, also without entities. */
export interface MemoryType extends TypeState {
  readonly entities: Sorted
}

/** All entities and named values, at one moment. */
export interface MemoryState {
  readonly types: ReadonlyMap<string, MemoryType>
  readonly metadata: ReadonlyMap<string, Metadata>
  readonly version: string
  /** The version of types that never had an entity. */
  readonly epoch: string
}

/** The state of a store that nobody has written. */
export function emptyState(): MemoryState {
  return { types: new Map(), metadata: new Map(), version: mintVersion(), epoch: mintVersion() }
}

/** The next state while it is being made, to be read and written as a table. */
export class MemoryDraft implements EntityTable {
  readonly #before: MemoryState
  /** What happened to entities, in order: the index cannot undo it, and so hears of it only at the end. */
  readonly #changes: EntityChange[] = []
  readonly #version = mintVersion()
  readonly #types: Map<string, MemoryType>
  constructor(before: MemoryState) {
    this.#before = before
    this.#types = new Map(before.types)
  }

  get(type: string, id: string) {
    return find(this.#types.get(type)?.entities ?? [], id)
  }

  put(entity: StoredEntity, before: StoredEntity | undefined): void {
    const { type, id, json } = entity
    this.#changes.push({ type, id, before: before?.json, after: json })
    this.#change(type, (entities) => withEntity(entities, entity), before ? 0 : 1)
  }

  delete({ type, id, json }: StoredEntity): void {
    this.#changes.push({ type, id, before: json, after: undefined })
    this.#change(type, (entities) => withoutEntity(entities, id), -1)
  }

  /** The entities of a type, ascending by id; later changes do not move them. */
  entities(type: string): StoredEntity[] {
    return (this.#types.get(type)?.entities ?? []).flat()
  }

  /**
   * The state with all changes and these values; the one before, itself, where nothing differs. The index of the store
   * hears of the changes. Call it last.
   */
  finished(metadata: MetadataRecord = {}, index: IndexChanges): MemoryState {
    for (const change of this.#changes) index.note(change)
    index.finish()
    const before = this.#before
    const named = Object.entries(metadata)
    if (
      this.#changes.length === 0 &&
      named.every(([key, value]) => before.metadata.get(key)?.value === value)
    )
      return before
    const version = this.#version
    const values = new Map(before.metadata)
    for (const [key, value] of named) {
      if (value === undefined) values.delete(key)
      else values.set(key, { value, version })
    }
    return { ...before, types: this.#types, metadata: values, version }
  }

  #change(type: string, change: (entities: Sorted) => Sorted, delta: number): void {
    const { entities = [], count = 0 } = this.#types.get(type) ?? {}
    this.#types.set(type, { entities: change(entities), count: count + delta, version: this.#version })
  }
}

/** The state of every type, ascending. */
export function typeStates({ types }: MemoryState): Map<string, TypeState> {
  const ascending = [...types].sort(([left], [right]) => (left < right ? -1 : 1))
  return new Map(ascending.map(([type, { count, version }]) => [type, { count, version }]))
}
