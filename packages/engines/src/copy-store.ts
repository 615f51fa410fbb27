/** Copying a store with all its content to another one, of any engine. */
import { StorageFault } from '@worldwright/core/store'
import { type ContentDigest, digestOf } from '@worldwright/sqlite/store-content'
import type { StoreLocation } from './store-location.ts'

/** Number of entities that were copied, and the hash of their content. */
export type CopyReport = Omit<ContentDigest, 'digest'>

/**
 * Makes an identical store: entities, tombstones, offsets and versions, values, tokens, and precedence. The new store is
 * read back and compared. Both have the same history from then on, so only one of them may still be written.
 * @throws StorageFault `not_a_store` if the new one exists, `damaged` if it differs from what was read
 */
export async function copyStore(from: StoreLocation, to: StoreLocation): Promise<CopyReport> {
  const read = await from.withContent(async (content) => {
    await to.fill(content)
    return digestOf(content)
  })
  const { digest, ...report } = await to.withContent(digestOf)
  if (digest !== read.digest)
    throw new StorageFault('damaged', `The copy ${to.name} is not what was read. Remove it, and copy again.`)
  return report
}
