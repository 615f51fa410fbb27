/** A storage engine that keeps nothing: for tests, and for worlds that are read from files at every start. */
import { createMemorySegments } from '../search/memory-segments.ts'
import { IndexReader } from '../search/read/index-reader.ts'
import { IndexWriter } from '../search/write/index-writer.ts'
import { abortable } from './abortable.ts'
import { answerQuery } from './answer-query.ts'
import { applyOperations, prepareOperations, refusal, unmetMetadata } from './apply.ts'
import type { MetadataRecord, Query, SearchWeights, Snapshot, Storage, StoredEntity } from './contract.ts'
import { IndexChanges } from './index-changes.ts'
import { createMemoryImport } from './memory-import.ts'
import { emptyState, MemoryDraft, type MemoryState, typeStates } from './memory-state.ts'
import { createMemoryTokens } from './memory-tokens.ts'
import { timestampOf } from './prepared.ts'
import { documentFromJson } from './search-text.ts'
import { entitiesAfter, find } from './sorted.ts'
import { textOfWeights, WEIGHTS_KEY, weightsOfText } from './weights-metadata.ts'

/** How a store in memory behaves. */
export interface MemoryStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
}

/** Opens an empty store in memory. It fails with no `StorageFault` but `stale`. */
export function createMemoryStorage({ now = () => new Date() }: MemoryStorageOptions = {}): Storage {
  const store = new MemoryStore(now)
  return abortable<Storage>({
    get: (type, id) => store.get(type, id),
    list(type, { after, limit }) {
      const { types, epoch } = store.state
      const { entities = [], count = 0, version = epoch } = types.get(type) ?? {}
      return { entities: entitiesAfter(entities, after, limit), total: count, version }
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
      return { ...applied, version: store.state.version }
    },
    import: () => createMemoryImport(store),
    versions: () => typeStates(store.state),
    version: () => store.state.version,
    metadata: (key) => store.state.metadata.get(key),
    tokens: abortable(createMemoryTokens()),
    setSearchWeights: (weights) => store.setWeights(weights),
    snapshot: () => snapshotOf(store.state),
    close() {},
  })
}

/** The state of the moment and its index. */
class MemoryStore {
  readonly #now: () => Date
  #index = emptyIndex()
  #state = emptyState()

  constructor(now: () => Date) {
    this.#now = now
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
      search: (query: Query) => reader.search(query),
      get: (type: string, id: string) => this.get(type, id),
      types: () => typeStates(this.#state),
      first: (type: string, limit: number) =>
        entitiesAfter(this.#state.types.get(type)?.entities ?? [], undefined, limit),
    }
    return answerQuery(source, query)
  }

  /** Makes a draft the state, with these values. */
  keep(draft: MemoryDraft, metadata: MetadataRecord | undefined): void {
    this.#state = draft.finished(metadata, new IndexChanges(this.#index.writer, this.#weights()))
  }

  setWeights(weights: SearchWeights): void {
    const before = this.#state
    this.keep(new MemoryDraft(before), { [WEIGHTS_KEY]: textOfWeights(weights) })
    if (this.#state === before) return
    this.#index = emptyIndex()
    const documents = entitiesOf(before).map(({ type, json }) => documentFromJson(type, json, weights))
    this.#index.writer.build(documents)
  }

  #weights(): SearchWeights {
    return weightsOfText(this.#state.metadata.get(WEIGHTS_KEY)?.value)
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
