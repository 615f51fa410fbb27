/** Deletion of all entities of a type, on request. */
import type { Store } from '@worldwright/core/store'
import { loadedSources, withoutType } from './loaded-sources.ts'

/**
 * Deletes all entities of a type in one step, and returns their number. If the type is kept only because the
 * definition has lost a source, the deletion is not remembered: the next load restores what the sources hold. Any other
 * type that sources fill stays deleted.
 */
export async function deleteType(storage: Store, type: string): Promise<number> {
  const before = await loadedSources(storage)
  const isLeft = before?.kept?.some((kept) => kept.type === type && kept.why === 'source_gone') === true
  const staged = await storage.bulk(isLeft ? { files: { [type]: 'files' } } : {})
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
