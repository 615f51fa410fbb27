/** In-memory storage engine, for tests and for worlds that are loaded from files at every start. */
import { abortable } from './abortable.ts'
import { applyOperations, prepareOperations, refusal, unmetValue } from './apply.ts'
import { compareUtf8 } from './compare-utf8.ts'
import type {
  Changes,
  ChangesOptions,
  FollowedState,
  NamedValue,
  NamedValues,
  Position,
  Snapshot,
  Store,
  StoredEntity,
} from './contract.ts'
import type { EntityIndex, EntitySearch } from './entity-search.ts'
import {
  beginning,
  changesFrom,
  DELETIONS_KEPT_MS,
  numberOf,
  offsetFrom,
  positionOf,
  refuseExpired,
} from './history.ts'
import { RULES_KEY } from './index-rules.ts'
import { createMemoryFollowing } from './memory-following.ts'
import { createMemoryImport } from './memory-import.ts'
import { MemoryLog } from './memory-log.ts'
import { MemoryPrecedence } from './memory-precedence.ts'
import {
  emptyState,
  MemoryDraft,
  type MemoryState,
  typeState,
  typeStates,
  versionOf,
} from './memory-state.ts'
import { PositionWatch } from './position-watch.ts'
import { timestampOf } from './prepared.ts'
import { scan } from './scan.ts'
import { entitiesAfter, find } from './sorted.ts'

/** Options for an in-memory store. */
export interface MemoryStoreOptions {
  /** Clock. Default: the system clock. */
  readonly now?: () => Date
  /** Retention of tombstones, in milliseconds. Default: 90 days. */
  readonly deletionsKeptMs?: number
  /** Search index. If absent, searches read every entity (see `scan`). */
  readonly search?: EntitySearch
}

/** Creates an empty store. Methods throw only `stale`, `expired`, `invalid_offset` and, without an index, `unsupported`. */
export function createMemoryStore({
  now = () => new Date(),
  deletionsKeptMs = DELETIONS_KEPT_MS,
  search,
}: MemoryStoreOptions = {}): Store {
  const memory = new MemoryStore(now, deletionsKeptMs, search)
  const { index } = memory
  const store: Store = abortable<Store>({
    get: (type, id) => memory.get(type, id),
    list(type, { after, limit }) {
      const { count, version } = typeState(memory.state, type)
      const entities = entitiesAfter(memory.state.types.get(type)?.entities ?? [], after, limit)
      return { entities, total: count, version }
    },
    find: (query) => (index ? index.find(query) : scan(store, query)),
    ...(index && { matchedIn: (hits, matched) => index.matchedIn(hits, matched) }),
    write(operations, { values, ifValues } = {}) {
      const failedValue = unmetValue(ifValues, (key) => memory.state.values.get(key)?.value)
      if (failedValue !== undefined) return { done: false, failedValue }
      const prepared = prepareOperations(operations)
      const draft = new MemoryDraft(memory.state)
      const applied = applyOperations(draft, prepared, memory.timestamp())
      if (!applied.done) return refusal(prepared, applied.failed, (type, id) => memory.get(type, id))
      memory.keep(draft, values)
      memory.precedence.note(draft.writes)
      return { ...applied, position: memory.position() }
    },
    bulk: (options) => createMemoryImport(memory, options),
    owned: ({ limit }) => memory.precedence.owned(limit, (type, id) => memory.get(type, id) !== undefined),
    types: () => typeStates(memory.state),
    version: () => versionOf(memory.state),
    changes: (options) => memory.changes(options),
    watch: (signal) => memory.watch.positions(signal),
    follow: () => createMemoryFollowing(memory),
    values: (prefix) => valuesOf(memory.state, prefix),
    snapshot: () => snapshotOf(memory.state),
    close: () => memory.watch.close(),
  })
  return store
}

class MemoryStore {
  readonly #now: () => Date
  readonly #deletionsKeptMs: number
  readonly #log = new MemoryLog()
  readonly precedence = new MemoryPrecedence()
  readonly watch = new PositionWatch(() => this.position())
  readonly index: EntityIndex | undefined
  #state: MemoryState | undefined

  constructor(now: () => Date, deletionsKeptMs: number, search: EntitySearch | undefined) {
    this.#now = now
    this.#deletionsKeptMs = deletionsKeptMs
    this.index = search?.({
      get: (type, id) => this.get(type, id),
      first: (type, limit) => entitiesAfter(this.state.types.get(type)?.entities ?? [], undefined, limit),
      types: () => typeStates(this.state),
      value: (key) => this.state.values.get(key)?.value,
    })
  }

  get state(): MemoryState {
    // Lazy: the history has a random name, and some runtimes have no random numbers while modules load.
    this.#state ??= emptyState()
    return this.#state
  }

  timestamp(): string {
    return timestampOf(this.#now())
  }

  get(type: string, id: string): StoredEntity | undefined {
    return find(this.state.types.get(type)?.entities ?? [], id)
  }

  position(): Position {
    return positionOf(this.state.epoch, this.state.number, this.state.pending)
  }

  changes(options: ChangesOptions): Changes {
    const reach = this.state
    const { trimmed } = this.#log
    const offset =
      options.after === undefined ? beginning(reach.number) : offsetFrom(reach.epoch, options.after)
    refuseExpired(offset, trimmed)
    const read = this.#log.after(reach, offset, options, (type, id) => this.get(type, id))
    return changesFrom({ ...read, offset, reach, trimmed }, () => typeStates(this.state))
  }

  /** Installs a draft as the new state, together with named values. `followed` is the state of the followed store. */
  keep(draft: MemoryDraft, values: NamedValues | undefined, followed?: FollowedState): void {
    const at = this.#now().getTime()
    const before = this.state
    this.#state = draft.finished(values, { index: this.index, log: this.#log, at }, followed)
    if (followed) this.#log.trimmedAlso(numberOf(this.state.epoch, followed.earliest) ?? 0)
    this.#log.trim(at - this.#deletionsKeptMs)
    const rulesOf = ({ values }: MemoryState) => values.get(RULES_KEY)?.value
    if (rulesOf(before) !== rulesOf(this.state)) this.index?.rebuild(entitiesOf(this.state))
    this.watch.look()
  }
}

function* entitiesOf({ types }: MemoryState, only?: string): Generator<StoredEntity> {
  const wanted = only === undefined ? [...types.keys()].sort() : [only]
  for (const type of wanted) yield* (types.get(type)?.entities ?? []).flat()
}

function valuesOf({ values }: MemoryState, prefix: string): Map<string, NamedValue> {
  return new Map(
    [...values].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => compareUtf8(a, b)),
  )
}

function snapshotOf(state: MemoryState): Snapshot {
  return { entities: (only) => entitiesOf(state, only), close() {} }
}
