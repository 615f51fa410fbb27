/** Imports into the memory engine: staged in a map, committed as one change. */
import { abortable } from './abortable.ts'
import { applyPut, refuseStale } from './apply.ts'
import type { Import, ImportCounts, MetadataRecord } from './contract.ts'
import { positionOf } from './history.ts'
import { MemoryDraft, type MemoryState, typeStates } from './memory-state.ts'
import { type PreparedEntity, prepare } from './prepared.ts'

/** What an import works on. */
interface ImportTarget {
  readonly state: MemoryState
  /** Makes a draft the state, with these values. */
  keep(draft: MemoryDraft, metadata: MetadataRecord | undefined): void
  /** The moment of a write, in RFC 3339. */
  timestamp(): string
}

type Staged = Map<string, Map<string, PreparedEntity>>

/** Begins an import that stages its entities in memory. */
export function createMemoryImport(store: ImportTarget): Import {
  let staged: Staged | undefined = new Map()

  function open(): Staged {
    if (!staged) throw new Error('This import has ended: it was committed or aborted.')
    return staged
  }

  return abortable<Import>({
    add(entities) {
      const types = open()
      const repeated: number[] = []
      for (const [at, entity] of entities.entries()) {
        const ids = types.get(entity.type) ?? new Map<string, PreparedEntity>()
        if (ids.has(entity.id)) repeated.push(at)
        else types.set(entity.type, ids.set(entity.id, prepare(entity)))
      }
      return repeated
    },
    preview: ({ replace = [] } = {}) =>
      apply(new MemoryDraft(store.state), open(), new Set(replace), store.timestamp()),
    commit(options = {}) {
      const types = open()
      const { state } = store
      refuseStale(options, typeStates(state), (key) => state.metadata.get(key)?.value)
      const draft = new MemoryDraft(state)
      const counts = apply(draft, types, new Set(options.replace), store.timestamp())
      store.keep(draft, options.metadata)
      staged = undefined
      const { epoch, number } = store.state
      return { ...counts, position: positionOf(epoch, number) }
    },
    abort() {
      staged = undefined
    },
  })
}

/** Puts what was staged into a draft, and deletes what is missing of replaced types. */
function apply(draft: MemoryDraft, staged: Staged, replace: ReadonlySet<string>, at: string): ImportCounts {
  const counts = { created: 0, changed: 0, unchanged: 0, deleted: 0 }
  for (const type of replace) {
    for (const entity of draft.entities(type)) {
      if (staged.get(type)?.has(entity.id)) continue
      draft.delete(entity)
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
