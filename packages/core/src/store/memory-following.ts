/** Replication of another store's history into the memory engine. */
import { abortable } from './abortable.ts'
import type { FollowedChange, FollowedState, Following, NamedValues } from './contract.ts'
import { epochOf, numberOf } from './history.ts'
import { MemoryDraft, type MemoryState } from './memory-state.ts'

interface FollowingTarget {
  readonly state: MemoryState
  keep(draft: MemoryDraft, values: NamedValues | undefined, followed: FollowedState): void
}

/** Begins to replicate changes into a store. */
export function createMemoryFollowing(store: FollowingTarget): Following {
  let added: FollowedChange[] | undefined = []
  const open = (): FollowedChange[] => {
    if (!added) throw new Error('This has ended: it was committed or aborted.')
    return added
  }
  return abortable<Following>({
    add: (changes) => void open().push(...changes),
    commit(state) {
      const changes = open()
      const epoch = epochOf(state.position)
      const draft = new MemoryDraft(store.state)
      if (epoch !== store.state.epoch || state.fromBeginning) forgetOthers(draft, store.state, changes)
      for (const { type, id, entity, position } of changes) {
        const number = numberOf(epoch, position) ?? 0
        const existing = draft.get(type, id)
        if (entity) draft.put(entity, existing, number)
        else if (existing) draft.delete(existing, number)
        else draft.recordDeletion(type, id, number)
      }
      store.keep(draft, state.values, state)
      added = undefined
    },
    abort() {
      added = undefined
    },
  })
}

/** Removes entities that the followed store lacks. The tombstones it remembers are among the changes. */
function forgetOthers(draft: MemoryDraft, { types }: MemoryState, changes: readonly FollowedChange[]): void {
  const kept = new Set(changes.filter(({ entity }) => entity).map(({ type, id }) => `${type}\n${id}`))
  for (const type of types.keys())
    for (const entity of draft.entities(type)) if (!kept.has(`${type}\n${entity.id}`)) draft.forget(entity)
}
