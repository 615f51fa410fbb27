/** State of the memory engine: an immutable value that every write replaces with a new one. */
import type { EntityTable } from './apply.ts'
import type { FollowedState, NamedValue, NamedValues, StoredEntity, TypeState } from './contract.ts'
import type { EntityChange, EntityIndex } from './entity-search.ts'
import { epochOf, mintEpoch, numberOf, positionOf, type Reach, reachOf } from './history.ts'
import type { MemoryLog, Recorded } from './memory-log.ts'
import type { OthersWrite } from './memory-precedence.ts'
import { find, type Sorted, withEntity, withoutEntity } from './sorted.ts'
import { isBeside } from './values.ts'

/** The entities of one type. A type is kept even after its last entity has been deleted. */
export interface MemoryType {
  readonly entities: Sorted
  readonly count: number
  /** Number of the last write that changed the type. */
  readonly number: number
}

/** All entities and named values at one point in time. */
export interface MemoryState extends Reach {
  readonly types: ReadonlyMap<string, MemoryType>
  readonly values: ReadonlyMap<string, NamedValue>
  /** Number of writes that changed only named values. */
  readonly edits: number
}

/** Returns the state of a store before its first write. */
export function emptyState(): MemoryState {
  return { types: new Map(), values: new Map(), epoch: mintEpoch(), number: 0, pending: [], edits: 0 }
}

/** Returns the store version, which changes with every write of entities or named values. */
export function versionOf({ epoch, number, edits }: MemoryState): string {
  return `${positionOf(epoch, number)}-${edits}`
}

/** Index and log, which are updated only at the end of a write, because their updates cannot be rolled back. */
export interface Derived {
  readonly index: EntityIndex | undefined
  readonly log: MemoryLog
  /** Time of the write, in milliseconds since 1970. */
  readonly at: number
}

/** The next state under construction, accessible as an entity table. */
export class MemoryDraft implements EntityTable {
  readonly #before: MemoryState
  readonly #changes: EntityChange[] = []
  /** Last change to each entity, by key. */
  readonly #recorded = new Map<string, Omit<Recorded, 'deletedAt'>>()
  readonly #types: Map<string, MemoryType>
  readonly #next: number
  /** Puts and deletions, in order. */
  readonly writes: OthersWrite[] = []

  constructor(before: MemoryState) {
    this.#before = before
    this.#types = new Map(before.types)
    this.#next = before.number + 1
  }

  get(type: string, id: string) {
    return find(this.#types.get(type)?.entities ?? [], id)
  }

  /** Stores an entity. `number` is the write number; for a replica, that of the followed store. */
  put(entity: StoredEntity, before: StoredEntity | undefined, number = this.#next): void {
    const { type, id, json } = entity
    this.writes.push({ type, id, before: before?.revision, isDeleted: false })
    this.#changes.push({ type, id, before: before?.json, after: json })
    this.#record({ type, id, number }, (entities) => withEntity(entities, entity), before ? 0 : 1)
  }

  delete({ type, id, revision, json }: StoredEntity, number = this.#next): void {
    this.writes.push({ type, id, before: revision, isDeleted: true })
    this.#changes.push({ type, id, before: json, after: undefined })
    this.#record({ type, id, number }, (entities) => withoutEntity(entities, id), -1)
  }

  /** Records a tombstone for an entity that does not exist. */
  recordDeletion(type: string, id: string, number: number): void {
    this.#record({ type, id, number }, (entities) => entities, 0)
  }

  /** Removes an entity without a tombstone. */
  forget({ type, id, json }: StoredEntity): void {
    this.#changes.push({ type, id, before: json, after: undefined })
    const { entities = [], count = 0, number = 0 } = this.#types.get(type) ?? {}
    this.#types.set(type, { entities: withoutEntity(entities, id), count: count - 1, number })
  }

  /** Returns the entities of a type, ascending by id. Later changes do not affect the returned array. */
  entities(type: string): StoredEntity[] {
    return (this.#types.get(type)?.entities ?? []).flat()
  }

  /**
   * Returns the state with all changes and values applied, or the previous state itself if nothing differs. Updates the
   * index and the log. Must be called last. `followed` is the state of the followed store.
   */
  finished(changed: NamedValues = {}, derived: Derived, followed?: FollowedState): MemoryState {
    const before = this.#before
    const named = Object.entries(changed)
    const differs = named.filter(([key, value]) => before.values.get(key)?.value !== value)
    const isSame = differs.every(([key]) => isBeside(key))
    if (this.#recorded.size === 0 && isSame && !followed)
      return differs.length === 0 ? before : { ...before, values: withValues(before.values, differs, '') }
    const history = followed ? this.#history(followed) : this.#moved()
    if (history.epoch !== before.epoch || followed?.fromBeginning) derived.log.clear()
    this.#derive(derived)
    const next = { ...before, ...history, types: this.#types }
    const version = this.#recorded.size > 0 ? positionOf(next.epoch, next.number) : versionOf(next)
    return { ...next, values: withValues(before.values, named, version) }
  }

  #derive({ index, log, at }: Derived): void {
    index?.change(this.#changes)
    const recorded = [...this.#recorded.values()]
    log.record(recorded.map((one) => ({ ...one, deletedAt: this.get(one.type, one.id) ? undefined : at })))
  }

  #moved(): Pick<MemoryState, keyof Reach | 'edits'> {
    const { epoch, number, pending, edits } = this.#before
    return this.#recorded.size > 0
      ? { epoch, number: this.#next, pending, edits }
      : { epoch, number, pending, edits: edits + 1 }
  }

  /** Adopts the history and the type versions of the followed store. */
  #history({ position, versions }: FollowedState): Pick<MemoryState, keyof Reach | 'edits'> {
    const epoch = epochOf(position)
    if (epoch !== this.#before.epoch)
      for (const type of [...this.#types.keys()]) if (!versions.has(type)) this.#types.delete(type)
    for (const [type, version] of versions) {
      const { entities = [], count = 0 } = this.#types.get(type) ?? {}
      this.#types.set(type, { entities, count, number: numberOf(epoch, version) ?? 0 })
    }
    const { number = 0, pending = [] } = reachOf(epoch, position) ?? {}
    return { epoch, number, pending, edits: this.#before.edits + 1 }
  }

  #record(change: Omit<Recorded, 'deletedAt'>, changed: (entities: Sorted) => Sorted, delta: number): void {
    const { type, id, number } = change
    const { entities = [], count = 0 } = this.#types.get(type) ?? {}
    this.#recorded.set(`${type}\n${id}`, change)
    this.#types.set(type, { entities: changed(entities), count: count + delta, number })
  }
}

/** Returns a copy of `before`, with the values in `named` replaced. Values that are not content have no version. */
function withValues(
  before: MemoryState['values'],
  named: readonly (readonly [string, string | undefined])[],
  version: string,
): MemoryState['values'] {
  const values = new Map(before)
  for (const [key, value] of named) {
    if (value === undefined) values.delete(key)
    else values.set(key, { value, version: isBeside(key) ? '' : version })
  }
  return values
}

/** Returns the state of one type. A type that never had an entity has the version of a store without writes. */
export function typeState({ types, epoch }: MemoryState, type: string): TypeState {
  const { count = 0, number = 0 } = types.get(type) ?? {}
  return { count, version: positionOf(epoch, number) }
}

/** Returns the state of every type, ascending by type. */
export function typeStates(state: MemoryState): Map<string, TypeState> {
  const types = [...state.types.keys()].sort((left, right) => (left < right ? -1 : 1))
  return new Map(types.map((type) => [type, typeState(state, type)]))
}
