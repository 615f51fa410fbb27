/** A storage engine that keeps nothing: for tests, and for worlds that are read from files at every start. */
import { createMemorySegments } from '../search/memory-segments.ts'
import { IndexReader } from '../search/read/index-reader.ts'
import { IndexWriter } from '../search/write/index-writer.ts'
import { answerSearch } from './answer-search.ts'
import { applyOperations, prepareOperations, refusal } from './apply.ts'
import type {
  Import,
  Notes,
  Page,
  SearchWeights,
  Snapshot,
  Storage,
  StoredEntity,
  WriteResult,
} from './contract.ts'
import { documentOf, indexChanges } from './index-changes.ts'
import { memoryImport } from './memory-import.ts'
import { draftOf, type MemoryState, typeStates } from './memory-state.ts'
import { mintVersion, timestampOf } from './prepared.ts'
import { textOfWeights } from './search-weights.ts'
import { entitiesAfter, find } from './sorted.ts'

/** How a store in memory behaves. */
export interface MemoryStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
}

/** Opens an empty store in memory. It fails with no `StorageFault`. */
export function createMemoryStorage({ now = () => new Date() }: MemoryStorageOptions = {}): Storage {
  let weights: SearchWeights = {}
  let index = emptyIndex()
  const metadata = new Map<string, string>()
  let state: MemoryState = { types: new Map(), version: mintVersion(), epoch: mintVersion() }

  /** Runs `work` on a draft of the state, and makes the draft the state where `keeps` says so; then notes. */
  function change<T>(
    work: (draft: ReturnType<typeof draftOf>) => T,
    keeps: (result: T) => boolean,
    notes?: Notes,
  ): T {
    const changes = indexChanges(index.writer, weights)
    const draft = draftOf(state, changes)
    const result = work(draft)
    if (!keeps(result)) return result
    const next = draft.settled()
    const noted = notes?.({ ...within, versions: () => typeStates(next) }) ?? {}
    changes.settle()
    state = next
    for (const [key, value] of Object.entries(noted)) setMetadata(key, value)
    return result
  }

  const within = { metadata: (key: string) => metadata.get(key), versions: () => typeStates(state) }

  function setMetadata(key: string, value: string | undefined): void {
    if (metadata.get(key) === value) return
    if (value === undefined) metadata.delete(key)
    else metadata.set(key, value)
    state = { ...state, version: mintVersion() }
  }

  function get(type: string, id: string): StoredEntity | undefined {
    return find(state.types.get(type)?.entities ?? [], id)
  }

  return {
    get,
    list(type, { after, limit }): Page {
      const kept = state.types.get(type)
      const entities = entitiesAfter(kept?.entities ?? [], after, limit)
      return { entities, total: kept?.count ?? 0, version: kept?.version ?? state.epoch }
    },
    search(query) {
      const types = () => typeStates(state)
      const first = (type: string, limit: number) =>
        entitiesAfter(state.types.get(type)?.entities ?? [], undefined, limit)
      const { reader } = index
      reader.refresh()
      return answerSearch({ find: (question) => reader.search(question), get, types, first }, query)
    },
    write(operations, notes): WriteResult {
      const prepared = prepareOperations(operations)
      const at = timestampOf(now())
      const result = change(
        (draft) => applyOperations(draft, prepared, at),
        ({ done }) => done,
        notes,
      )
      return result.done ? result : refusal(prepared, result.failed, get)
    },
    import(): Import {
      return memoryImport(
        (work, keep) =>
          change(
            (draft) => work(draft, timestampOf(now())),
            () => keep !== false,
            keep === false ? undefined : keep.notes,
          ),
        within.versions,
      )
    },
    versions: within.versions,
    version: () => state.version,
    metadata: within.metadata,
    metadataKeys: (prefix) => [...metadata.keys()].filter((key) => key.startsWith(prefix)).sort(),
    setMetadata,
    weigh(next) {
      if (textOfWeights(next) === textOfWeights(weights)) return
      weights = next
      index = emptyIndex()
      index.writer.build(entitiesOf(state).map((entity) => documentOf(entity, weights)))
      state = { ...state, version: mintVersion() }
    },
    snapshot: () => snapshotOf(state),
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
