import type { Store } from '@worldwright/core/store'
import { loadedSources, withoutType } from './loaded-sources.ts'

/**
 * Deletes all entities of a type atomically and returns how many there were. If the type is kept only because the definition
 * lost a source, the deletion is not recorded, so the next load restores any entities in the sources. Any other type filled
 * by sources remains deleted.
 */
export async function deleteType(store: Store, type: string): Promise<number> {
  const before = await loadedSources(store)
  const isLeft = before?.kept?.some((kept) => kept.type === type && kept.why === 'source_gone') === true
  const staged = await store.bulk(isLeft ? { files: { [type]: 'files' } } : {})
  try {
    const { deleted } = await staged.commit({
      replace: [type],
      ...(isLeft && { values: withoutType(before, type) }),
    })
    return deleted
  } finally {
    await staged.abort()
  }
}
