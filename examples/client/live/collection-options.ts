/** Collections of TanStack DB with all entities that match a condition: `createCollection(collectionOptions(world, …))`. */
import type { SyncConfig } from '@tanstack/db'
import type { Change, Entity, JsonObject, World } from '@worldwright/client'
import { changesPage, isExpired } from '@worldwright/client/changes'

const getKey = ({ type, id }: Pick<Entity, 'type' | 'id'>) => `${type} ${id}`

/** Returns the options of a read-only collection, which follows the changes of a world while it is used. */
export function collectionOptions(world: World, filter: { types?: string[]; where?: JsonObject }) {
  const sync: SyncConfig<Entity, string>['sync'] = ({ collection, begin, write, commit, ...end }) => {
    const ending = new AbortController()
    const asked = { ...filter, entities: true, signal: ending.signal }
    const apply = (changes: Change[], isFirst: boolean) => {
      begin()
      if (isFirst) end.truncate()
      for (const change of changes) {
        const isKnown = !isFirst && collection.has(getKey(change))
        if (change.op !== 'put') isKnown && write({ type: 'delete', key: getKey(change) })
        else if (change.entity) write({ type: isKnown ? 'update' : 'insert', value: change.entity })
      }
      commit()
    }
    const follow = async (): Promise<void> => {
      const first: Change[] = []
      let since: string | undefined
      for (let more = true; more; ) {
        const page = await changesPage(world, { ...asked, since })
        first.push(...page.changes)
        since = page.next
        more = page.more
      }
      apply(first, true)
      for await (const change of world.changes({ ...asked, since })) apply([change], false)
    }
    const forever = (): Promise<void> =>
      follow().catch((error) => (isExpired(error) ? forever() : fail(error)))
    const fail = (error: unknown) => void (ending.signal.aborted || end.markError(error))
    forever()
    return () => ending.abort()
  }
  return { getKey, sync: { sync, rowUpdateMode: 'full' as const } }
}
