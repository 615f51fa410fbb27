/** Imports into the memory engine: staged in a map, committed as one change. */
import { applyPut, refuseStale } from './apply.ts'
import type { Import, ImportCounts, MetadataRecord } from './contract.ts'
import { type MemoryDraft, type MemoryState, typeStates } from './memory-state.ts'
import { type PreparedEntity, prepare } from './prepared.ts'

/** What an import works on. */
export interface MemoryStore {
  state(): MemoryState
  /** Begins the next state. */
  draft(): MemoryDraft
  /** Makes a draft the state, with these values. */
  keep(draft: MemoryDraft, metadata: MetadataRecord | undefined): void
  /** The moment of a write, in RFC 3339. */
  timestamp(): string
}

type Staged = Map<string, Map<string, PreparedEntity>>

/** Begins an import. */
export function memoryImport(store: MemoryStore): Import {
  let staged: Staged | undefined = new Map()

  function open(signal?: AbortSignal): Staged {
    signal?.throwIfAborted()
    if (!staged) throw new Error('This import is finished: it was committed or aborted.')
    return staged
  }

  return {
    add(entities, { signal } = {}) {
      const types = open(signal)
      const repeated: number[] = []
      for (const [at, entity] of entities.entries()) {
        const ids = types.get(entity.type) ?? new Map<string, PreparedEntity>()
        if (ids.has(entity.id)) repeated.push(at)
        else types.set(entity.type, ids.set(entity.id, prepare(entity)))
      }
      return repeated
    },
    preview({ replace = [], signal } = {}) {
      return apply(store.draft(), open(signal), new Set(replace), store.timestamp())
    },
    commit(options = {}) {
      const types = open(options.signal)
      const state = store.state()
      refuseStale(options, typeStates(state), (key) => state.metadata.get(key)?.value)
      const draft = store.draft()
      const counts = apply(draft, types, new Set(options.replace), store.timestamp())
      store.keep(draft, options.metadata)
      staged = undefined
      return counts
    },
    abort() {
      staged = undefined
    },
  }
}

/** Puts what was staged into a draft, and deletes what is missing of replaced types. */
function apply(draft: MemoryDraft, staged: Staged, replace: ReadonlySet<string>, at: string): ImportCounts {
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  for (const type of replace) {
    for (const id of draft.ids(type)) {
      if (staged.get(type)?.has(id)) continue
      draft.delete(type, id)
      counts.deleted++
    }
  }
  for (const [type, ids] of staged) {
    for (const prepared of ids.values()) {
      const { change } = applyPut(draft, prepared, draft.get(type, prepared.id), at)
      if (change === 'created' || change === 'changed' || change === 'unchanged') counts[change]++
    }
  }
  return counts
}
