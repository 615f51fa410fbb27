/** Deleting all entities of a type because somebody says so. */
import type { Store } from '@worldwright/core/store'
import { loadedSources, withoutType } from './loaded-sources.ts'

/**
 * Deletes all entities of a type in one step, and answers how many there were. Of a type that stands only because the
 * definition has lost a source, nothing is remembered: what the sources hold comes with the next load. Of any other type
 * that sources fill, it stays deleted.
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
