/** From one store to another of whichever engine, with all that belongs to it. */
import { StorageFault } from '@worldwright/core/store'
import { type ContentDigest, digestOf } from '@worldwright/sqlite/store-content'
import type { StoreLocation } from './store-location.ts'

/** How many entities were copied, and what they are known by. */
export type CopyReport = Omit<ContentDigest, 'digest'>

/**
 * Makes a store that is the same: entities, deletions, positions and versions, values, tokens, and who owns what. It is read
 * back and compared. Both have the same history from then on, so that only one of them may go on being written.
 * @throws StorageFault `not_a_store` where the new one exists, `damaged` where it is not what was read
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
