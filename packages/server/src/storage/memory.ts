/** A storage engine that keeps nothing: for tests, and for worlds that are read from files at every start. */
import { createMemorySegments } from '../search/memory-segments.ts'
import { IndexReader } from '../search/read/index-reader.ts'
import type { QueryContext } from '../search/read/query-context.ts'
import { IndexWriter } from '../search/write/index-writer.ts'
import { abortable } from './abortable.ts'
import { answerQuery } from './answer-query.ts'
import { applyOperations, prepareOperations, refusal, unmetMetadata } from './apply.ts'
import type {
  Changes,
  ChangesOptions,
  EntityKey,
  FollowedState,
  IndexRules,
  MetadataRecord,
  Position,
  Query,
  Snapshot,
  Storage,
  StoredEntity,
} from './contract.ts'
import {
  beginning,
  changesFrom,
  DELETIONS_KEPT_MS,
  hasReached,
  numberOf,
  placeFrom,
  positionOf,
  refuseExpired,
} from './history.ts'
import { IndexChanges } from './index-changes.ts'
import { RULES_KEY, rulesOfText, textOfRules } from './index-rules.ts'
import { createMemoryFollowing } from './memory-following.ts'
import { createMemoryImport } from './memory-import.ts'
import { MemoryLog } from './memory-log.ts'
import { MemoryOwners } from './memory-owners.ts'
import {
  emptyState,
  MemoryDraft,
  type MemoryState,
  typeState,
  typeStates,
  versionOf,
} from './memory-state.ts'
import { createMemoryTokens } from './memory-tokens.ts'
import { PositionWatch } from './position-watch.ts'
import { timestampOf } from './prepared.ts'
import { SYNONYMS_KEY, synonymsReader } from './search-synonyms.ts'
import { documentFromJson } from './search-text.ts'
import { entitiesAfter, find } from './sorted.ts'

/** How a store in memory behaves. */
export interface MemoryStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
  /** How long deletions are remembered, in milliseconds. Absent: 90 days. */
  readonly deletionsKeptMs?: number
}

/** Opens an empty store in memory. It fails with no `StorageFault` but `stale`, `expired` and `invalid_place`. */
export function createMemoryStorage({
  now = () => new Date(),
  deletionsKeptMs = DELETIONS_KEPT_MS,
}: MemoryStorageOptions = {}): Storage {
  const store = new MemoryStore(now, deletionsKeptMs)
  return abortable<Storage>({
    get: (type, id) => store.get(type, id),
    list(type, { after, limit }) {
      const { count, version } = typeState(store.state, type)
      const entities = entitiesAfter(store.state.types.get(type)?.entities ?? [], after, limit)
      return { entities, total: count, version }
    },
    find: (query) => store.find(query),
    write(operations, { metadata, ifMetadata } = {}) {
      const failedMetadata = unmetMetadata(ifMetadata, (key) => store.state.metadata.get(key)?.value)
      if (failedMetadata !== undefined) return { done: false, failedMetadata }
      const prepared = prepareOperations(operations)
      const draft = new MemoryDraft(store.state)
      const applied = applyOperations(draft, prepared, store.timestamp())
      if (!applied.done) return refusal(prepared, applied.failed, (type, id) => store.get(type, id))
      store.keep(draft, metadata)
      store.owners.note(draft.writes)
      return { ...applied, position: store.position() }
    },
    import: (options) => createMemoryImport(store, options),
    owned: ({ limit }) => store.owners.owned(limit, (type, id) => store.get(type, id) !== undefined),
    versions: () => typeStates(store.state),
    version: () => versionOf(store.state),
    position: () => store.position(),
    hasReached: (position) => hasReached(store.state, position),
    changes: (options) => store.changes(options),
    watch: (signal) => store.watch.positions(signal),
    follow: () => createMemoryFollowing(store),
    metadata: (key) => store.state.metadata.get(key),
    tokens: abortable(createMemoryTokens()),
    // Nothing in memory is damaged.
    repairIndex() {},
    setIndexRules: (rules) => store.setRules(rules),
    indexRules: () => store.rules(),
    snapshot: () => snapshotOf(store.state),
    close: () => store.watch.close(),
  })
}

/** The state of the moment, its index and its log. */
class MemoryStore {
  readonly #now: () => Date
  readonly #deletionsKeptMs: number
  readonly #log = new MemoryLog()
  readonly owners = new MemoryOwners()
  readonly watch = new PositionWatch(() => this.position())
  #index = emptyIndex()
  #state = emptyState()
  readonly #synonyms = synonymsReader(() => this.#state.metadata.get(SYNONYMS_KEY)?.value)

  constructor(now: () => Date, deletionsKeptMs: number) {
    this.#now = now
    this.#deletionsKeptMs = deletionsKeptMs
  }

  get state(): MemoryState {
    return this.#state
  }

  timestamp(): string {
    return timestampOf(this.#now())
  }

  get(type: string, id: string): StoredEntity | undefined {
    return find(this.#state.types.get(type)?.entities ?? [], id)
  }

  find(query: Query) {
    const { reader } = this.#index
    reader.refresh()
    const source = {
      search: (query: Query, context: QueryContext) => reader.search(query, context),
      synonyms: this.#synonyms,
      rules: () => this.rules(),
      entities: (keys: readonly EntityKey[]) => keys.map(({ type, id }) => this.get(type, id)),
      types: () => typeStates(this.#state),
      first: (type: string, limit: number) => ({
        entities: entitiesAfter(this.#state.types.get(type)?.entities ?? [], undefined, limit),
      }),
    }
    return answerQuery(source, query)
  }

  position(): Position {
    return positionOf(this.#state.epoch, this.#state.number, this.#state.pending)
  }

  changes(options: ChangesOptions): Changes {
    const reach = this.#state
    const { trimmed } = this.#log
    const place =
      options.after === undefined ? beginning(reach.number) : placeFrom(reach.epoch, options.after)
    refuseExpired(place, trimmed)
    const read = this.#log.after(reach, place, options, (type, id) => this.get(type, id))
    return changesFrom({ ...read, place, reach, trimmed }, () => typeStates(this.#state))
  }

  /** Makes a draft the state, with these values. `followed`: what another store says of its history. */
  keep(draft: MemoryDraft, metadata: MetadataRecord | undefined, followed?: FollowedState): void {
    const at = this.#now().getTime()
    const index = new IndexChanges(this.#index.writer, this.rules())
    this.#state = draft.finished(metadata, { index, log: this.#log, at }, followed)
    if (followed) this.#log.trimmedAlso(numberOf(this.#state.epoch, followed.earliest) ?? 0)
    this.#log.trim(at - this.#deletionsKeptMs)
    this.watch.look()
  }

  setRules(rules: IndexRules): void {
    const before = this.#state
    this.keep(new MemoryDraft(before), { [RULES_KEY]: textOfRules(rules) })
    if (this.#state === before) return
    this.#index = emptyIndex()
    const documents = entitiesOf(before).map(({ type, json }) => documentFromJson(type, json, rules))
    this.#index.writer.build(documents)
  }

  rules(): IndexRules {
    return rulesOfText(this.#state.metadata.get(RULES_KEY)?.value)
  }
}

function emptyIndex() {
  const segments = createMemorySegments()
  return { writer: new IndexWriter(segments), reader: new IndexReader(segments) }
}

function* entitiesOf({ types }: MemoryState, only?: string): Generator<StoredEntity> {
  const wanted = only === undefined ? [...types.keys()].sort() : [only]
  for (const type of wanted) yield* (types.get(type)?.entities ?? []).flat()
}

function snapshotOf(state: MemoryState): Snapshot {
  return { entities: (only) => entitiesOf(state, only), close() {} }
}
