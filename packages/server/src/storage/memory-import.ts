/** Imports into the memory engine: staged in a map, committed as one change. */
import { applyPut } from './apply.ts'
import type { Import, ImportCounts } from './contract.ts'
import type { MemoryDraft } from './memory-state.ts'
import { type PreparedEntity, prepare } from './prepared.ts'

/** Begins an import. `change` runs its work on a draft at one moment (RFC 3339) and keeps the draft, or does not. */
export function memoryImport(
  change: (work: (draft: MemoryDraft, at: string) => ImportCounts, keep: boolean) => ImportCounts,
): Import {
  let staged: Map<string, Map<string, PreparedEntity>> | undefined = new Map()

  function open(): Map<string, Map<string, PreparedEntity>> {
    if (!staged) throw new Error('This import is over: it was committed or aborted.')
    return staged
  }

  return {
    add(entities) {
      const types = open()
      for (const entity of entities) {
        const ids = types.get(entity.type) ?? new Map<string, PreparedEntity>()
        types.set(entity.type, ids.set(entity.id, prepare(entity)))
      }
    },
    commit({ replace = [] } = {}) {
      const types = open()
      const counts = change((draft, at) => commit(draft, types, new Set(replace), at), true)
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
