/** What the memory engine keeps, as one value that a write replaces by the next. */
import type { EntityTable } from './apply.ts'
import type { FollowedState, NamedValue, NamedValues, StoredEntity, TypeState } from './contract.ts'
import type { EntityChange, EntityIndex } from './entity-search.ts'
import { epochOf, mintEpoch, numberOf, positionOf, type Reach, reachOf } from './history.ts'
import type { MemoryLog, Recorded } from './memory-log.ts'
import type { OthersWrite } from './memory-owners.ts'
import { find, type Sorted, withEntity, withoutEntity } from './sorted.ts'
import { isBeside } from './values.ts'

/** The entities of one type. A type once written stays, also without entities. */
export interface MemoryType {
  readonly entities: Sorted
  readonly count: number
  /** Of the last write that changed it. */
  readonly number: number
}

/** All entities and named values, at one moment. */
export interface MemoryState extends Reach {
  readonly types: ReadonlyMap<string, MemoryType>
  readonly values: ReadonlyMap<string, NamedValue>
  /** How many writes changed named values alone. */
  readonly edits: number
}

/** The state of a store that nobody has written. */
export function emptyState(): MemoryState {
  return { types: new Map(), values: new Map(), epoch: mintEpoch(), number: 0, pending: [], edits: 0 }
}

/** Moves with every write, of entities or of named values. */
export function versionOf({ epoch, number, edits }: MemoryState): string {
  return `${positionOf(epoch, number)}-${edits}`
}

/** What follows a write: neither can undo it, and so both hear of it only at its end. */
export interface Derived {
  readonly index: EntityIndex | undefined
  readonly log: MemoryLog
  /** The moment of the write, in milliseconds since 1970. */
  readonly at: number
}

/** The next state while it is being made, to be read and written as a table. */
export class MemoryDraft implements EntityTable {
  readonly #before: MemoryState
  readonly #changes: EntityChange[] = []
  /** The last change of each entity, by its key. */
  readonly #recorded = new Map<string, Omit<Recorded, 'deletedAt'>>()
  readonly #types: Map<string, MemoryType>
  readonly #next: number
  /** What was put and deleted, in order. */
  readonly writes: OthersWrite[] = []

  constructor(before: MemoryState) {
    this.#before = before
    this.#types = new Map(before.types)
    this.#next = before.number + 1
  }

  get(type: string, id: string) {
    return find(this.#types.get(type)?.entities ?? [], id)
  }

  /** `number`: of another store's write, where this one follows it. */
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

  /** Records the deletion of an entity that is not there. */
  recordDeletion(type: string, id: string, number: number): void {
    this.#record({ type, id, number }, (entities) => entities, 0)
  }

  /** Removes an entity as if it had never been. */
  forget({ type, id, json }: StoredEntity): void {
    this.#changes.push({ type, id, before: json, after: undefined })
    const { entities = [], count = 0, number = 0 } = this.#types.get(type) ?? {}
    this.#types.set(type, { entities: withoutEntity(entities, id), count: count - 1, number })
  }

  /** The entities of a type, ascending by id; later changes do not move them. */
  entities(type: string): StoredEntity[] {
    return (this.#types.get(type)?.entities ?? []).flat()
  }

  /**
   * The state with all changes and these values; the one before, itself, if nothing differs. What follows the store
   * hears of the changes. Call it last. `followed`: what the other store says of its history.
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

  /** The other store's, whose types have the versions that it says. */
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

/** The values with these in their places. Those beside the content have no version. */
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

/** The state of one type; of one that never had an entity the version of a store without writes. */
export function typeState({ types, epoch }: MemoryState, type: string): TypeState {
  const { count = 0, number = 0 } = types.get(type) ?? {}
  return { count, version: positionOf(epoch, number) }
}

/** The state of every type, ascending. */
export function typeStates(state: MemoryState): Map<string, TypeState> {
  const types = [...state.types.keys()].sort((left, right) => (left < right ? -1 : 1))
  return new Map(types.map((type) => [type, typeState(state, type)]))
}
