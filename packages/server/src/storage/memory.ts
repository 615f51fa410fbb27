/** A storage engine that keeps nothing: for tests, and for worlds that are read from files at every start. */
import { createMemorySegments } from '../search/memory-segments.ts'
import { IndexReader } from '../search/read/index-reader.ts'
import { IndexWriter } from '../search/write/index-writer.ts'
import { answerQuery } from './answer-query.ts'
import { applyOperations, prepareOperations, refusal, unmetMetadata } from './apply.ts'
import type { Snapshot, Storage, StoredEntity } from './contract.ts'
import { documentOf, indexChanges } from './index-changes.ts'
import { type MemoryStore, memoryImport } from './memory-import.ts'
import { emptyState, MemoryDraft, type MemoryState, typeStates } from './memory-state.ts'
import { createMemoryTokens } from './memory-tokens.ts'
import { timestampOf } from './prepared.ts'
import { textOfWeights, WEIGHTS_KEY, weightsOfText } from './search-weights.ts'
import { entitiesAfter, find } from './sorted.ts'

/** How a store in memory behaves. */
export interface MemoryStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
}

/** Opens an empty store in memory. It fails with no `StorageFault` but `stale`. */
export function createMemoryStorage({ now = () => new Date() }: MemoryStorageOptions = {}): Storage {
  let index = emptyIndex()
  let state = emptyState()
  const weights = () => weightsOfText(state.metadata.get(WEIGHTS_KEY)?.value)
  const store: MemoryStore = {
    state: () => state,
    draft: () => new MemoryDraft(state),
    keep(draft, metadata) {
      state = draft.finished(metadata, indexChanges(index.writer, weights()))
    },
    timestamp: () => timestampOf(now()),
  }
  const get = (type: string, id: string) => find(state.types.get(type)?.entities ?? [], id)

  return {
    get(type, id, { signal } = {}) {
      signal?.throwIfAborted()
      return get(type, id)
    },
    list(type, { after, limit, signal }) {
      signal?.throwIfAborted()
      const kept = state.types.get(type)
      const entities = entitiesAfter(kept?.entities ?? [], after, limit)
      return { entities, total: kept?.count ?? 0, version: kept?.version ?? state.epoch }
    },
    find(query) {
      query.signal?.throwIfAborted()
      const first = (type: string, limit: number) =>
        entitiesAfter(state.types.get(type)?.entities ?? [], undefined, limit)
      index.reader.refresh()
      const search = index.reader.search.bind(index.reader)
      return answerQuery({ search, get, types: () => typeStates(state), first }, query)
    },
    write(operations, { metadata, ifMetadata, signal } = {}) {
      signal?.throwIfAborted()
      const failedMetadata = unmetMetadata(ifMetadata, (key) => state.metadata.get(key)?.value)
      if (failedMetadata !== undefined) return { done: false, failedMetadata }
      const prepared = prepareOperations(operations)
      const draft = store.draft()
      const applied = applyOperations(draft, prepared, store.timestamp())
      if (!applied.done) return refusal(prepared, applied.failed, get)
      store.keep(draft, metadata)
      return { ...applied, version: state.version }
    },
    import({ signal } = {}) {
      signal?.throwIfAborted()
      return memoryImport(store)
    },
    versions({ signal } = {}) {
      signal?.throwIfAborted()
      return typeStates(state)
    },
    version({ signal } = {}) {
      signal?.throwIfAborted()
      return state.version
    },
    metadata(key, { signal } = {}) {
      signal?.throwIfAborted()
      return state.metadata.get(key)
    },
    tokens: createMemoryTokens(),
    setSearchWeights(next, { signal } = {}) {
      signal?.throwIfAborted()
      const before = state
      store.keep(store.draft(), { [WEIGHTS_KEY]: textOfWeights(next) })
      if (state === before) return
      index = emptyIndex()
      index.writer.build(entitiesOf(state).map((entity) => documentOf(entity, weights())))
    },
    snapshot({ signal } = {}) {
      signal?.throwIfAborted()
      return snapshotOf(state)
    },
    close() {},
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
