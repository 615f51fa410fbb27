import { StoreFault } from '@worldwright/core/store'
import { type ContentDigest, digestOf } from '@worldwright/sqlite/store-content'
import type { StoreLocation } from './store-location.ts'

/** Number of copied entities, and the hash of their content. */
export type CopyReport = Omit<ContentDigest, 'digest'>

/**
 * Creates an identical copy of a store: entities, tombstones, offsets and versions, values, tokens, and precedence. The
 * copy is read back and compared. Both stores then share one history, so write to only one of them afterwards.
 * @throws StoreFault `not_a_store` if the target exists, `damaged` if the copy differs from the original
 */
export async function copyStore(from: StoreLocation, to: StoreLocation): Promise<CopyReport> {
  const read = await from.withContent(async (content) => {
    await to.fill(content)
    return digestOf(content)
  })
  const { digest, ...report } = await to.withContent(digestOf)
  if (digest !== read.digest)
    throw new StoreFault('damaged', `The copy ${to.name} is not what was read. Remove it, and copy again.`)
  return report
}
