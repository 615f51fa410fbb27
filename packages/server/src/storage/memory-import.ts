/** Imports into the memory engine: staged in a map, committed as one change. */
import { applyPut, refuseStale } from './apply.ts'
import type { CommitOptions, Import, ImportCounts, Notes, TypeState } from './contract.ts'
import type { MemoryDraft } from './memory-state.ts'
import { type PreparedEntity, prepare } from './prepared.ts'

/** Runs work on a draft of the state at one moment (RFC 3339), and keeps the draft with the notes, or does not. */
type Change = (
  work: (draft: MemoryDraft, at: string) => ImportCounts,
  keep: { readonly notes?: Notes } | false,
) => ImportCounts

/** Begins an import. */
export function memoryImport(change: Change, states: () => ReadonlyMap<string, TypeState>): Import {
  let staged: Map<string, Map<string, PreparedEntity>> | undefined = new Map()

  function open(): Map<string, Map<string, PreparedEntity>> {
    if (!staged) throw new Error('This import is over: it was committed or aborted.')
    return staged
  }

  return {
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
    commit(options: CommitOptions = {}) {
      const types = open()
      refuseStale(options, states())
      const counts = change((draft, at) => commit(draft, types, new Set(options.replace), at), options)
      staged = undefined
      return counts
    },
    preview({ replace = [] } = {}) {
      const types = open()
      return change((draft, at) => commit(draft, types, new Set(replace), at), false)
    },
    abort() {
      staged = undefined
    },
  }
}

function commit(
  draft: MemoryDraft,
  staged: ReadonlyMap<string, ReadonlyMap<string, PreparedEntity>>,
  replace: ReadonlySet<string>,
  at: string,
): ImportCounts {
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
