/** A storage engine that keeps nothing: for tests, and for worlds that are read from files at every start. */
import { createMemorySegments } from '../search/memory-store.ts'
import { IndexReader } from '../search/reader.ts'
import { IndexWriter } from '../search/writer.ts'
import { answerSearch } from './answer-search.ts'
import { applyOperations, prepareOperations, refusal } from './apply.ts'
import type { Import, Page, Snapshot, Storage, StoredEntity, WriteResult } from './contract.ts'
import { indexChanges } from './index-changes.ts'
import { memoryImport } from './memory-import.ts'
import { draftOf, type MemoryState, typeStates } from './memory-state.ts'
import { mintVersion, timestampOf } from './prepared.ts'
import { entitiesAfter, find } from './sorted.ts'

/** How a store in memory behaves. */
export interface MemoryStorageOptions {
  /** The clock. Absent: the machine's. */
  readonly now?: () => Date
}

/** Opens an empty store in memory. It fails with no `StorageFault`. */
export function createMemoryStorage({ now = () => new Date() }: MemoryStorageOptions = {}): Storage {
  const segments = createMemorySegments()
  const writer = new IndexWriter(segments)
  const reader = new IndexReader(segments)
  const metadata = new Map<string, string>()
  let state: MemoryState = { types: new Map(), version: mintVersion(), epoch: mintVersion() }

  /** Runs `work` on a draft of the state, and makes the draft the state where `keeps` says so. */
  function change<T>(work: (draft: ReturnType<typeof draftOf>) => T, keeps: (result: T) => boolean): T {
    const changes = indexChanges(writer)
    const draft = draftOf(state, changes)
    const result = work(draft)
    if (!keeps(result)) return result
    changes.settle()
    state = draft.settled()
    return result
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
      reader.refresh()
      return answerSearch({ find: (question) => reader.search(question), get, types, first }, query)
    },
    write(operations): WriteResult {
      const prepared = prepareOperations(operations)
      const at = timestampOf(now())
      const result = change(
        (draft) => applyOperations(draft, prepared, at),
        ({ done }) => done,
      )
      return result.done ? result : refusal(prepared, result.failed, get)
    },
    import(): Import {
      return memoryImport((work, keep) =>
        change(
          (draft) => work(draft, timestampOf(now())),
          () => keep,
        ),
      )
    },
    versions: () => typeStates(state),
    version: () => state.version,
    metadata: (key) => metadata.get(key),
    metadataKeys: (prefix) => [...metadata.keys()].filter((key) => key.startsWith(prefix)).sort(),
    setMetadata(key, value) {
      if (metadata.get(key) === value) return
      if (value === undefined) metadata.delete(key)
      else metadata.set(key, value)
      state = { ...state, version: mintVersion() }
    },
    snapshot: () => snapshotOf(state),
    close() {},
  }
}

function snapshotOf({ types }: MemoryState): Snapshot {
  return {
    *entities(only) {
      const wanted = only === undefined ? [...types.keys()].sort() : [only]
      for (const type of wanted) yield* (types.get(type)?.entities ?? []).flat()
    },
    close() {},
  }
}
