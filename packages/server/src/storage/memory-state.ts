/** What the memory engine keeps, as one value that a write replaces by the next. */
import type { EntityTable } from './apply.ts'
import type { TypeState } from './contract.ts'
import type { IndexChanges } from './index-changes.ts'
import { mintVersion } from './prepared.ts'
import { entitiesAfter, find, type Sorted, withEntity, withoutEntity } from './sorted.ts'

/** The entities of one type. A type once written stays, also without entities. */
export interface MemoryType extends TypeState {
  readonly entities: Sorted
}

/** All entities, at one moment. */
export interface MemoryState {
  readonly types: ReadonlyMap<string, MemoryType>
  readonly version: string
  /** The version of types that never had an entity. */
  readonly epoch: string
}

/** A draft of the next state, to be read and written as a table. */
export interface MemoryDraft extends EntityTable {
  /** The ids of a type, ascending. */
  ids(type: string): string[]
  /** The state with all changes; the one before, itself, where nothing changed. */
  settled(): MemoryState
}

/** Begins a draft. What changes is noted for the index. */
export function draftOf(state: MemoryState, changes: IndexChanges): MemoryDraft {
  const version = mintVersion()
  const types = new Map(state.types)
  let touched = false

  function touch(type: string, change: (entities: Sorted) => Sorted, delta: number): void {
    const { entities = [], count = 0 } = types.get(type) ?? {}
    types.set(type, { entities: change(entities), count: count + delta, version })
    touched = true
  }

  const get = (type: string, id: string) => find(types.get(type)?.entities ?? [], id)

  return {
    get,
    put(entity, isNew) {
      changes.note(isNew ? undefined : get(entity.type, entity.id), entity)
      touch(entity.type, (entities) => withEntity(entities, entity), isNew ? 1 : 0)
    },
    delete(type, id) {
      changes.note(get(type, id), undefined)
      touch(type, (entities) => withoutEntity(entities, id), -1)
    },
    ids(type) {
      const { entities = [], count = 0 } = types.get(type) ?? {}
      return entitiesAfter(entities, undefined, count).map(({ id }) => id)
    },
    settled: () => (touched ? { ...state, types, version } : state),
  }
}

/** The state of every type, ascending. */
export function typeStates({ types }: MemoryState): Map<string, TypeState> {
  const ascending = [...types].sort(([left], [right]) => (left < right ? -1 : 1))
  return new Map(ascending.map(([type, { count, version }]) => [type, { count, version }]))
}
