/** What is loaded sooner than a thread has started. */

import { storeAt } from '@worldwright/engines'
import { formatsOfFile } from '@worldwright/publish/formats'

/** Files of so many bytes together. */
const SMALL_SOURCES = 1024 * 1024
/** In a store of so many bytes, deleting everything and building the index again takes no longer. */
const SMALL_STORE = 16 * 1024 * 1024

/** A file, or something else that is read. */
export interface Sized {
  readonly name: string
  /** In bytes; absent where nobody knows before it is read. */
  readonly size?: number | undefined
}

/** Whether these sources are little to load: few bytes, not packed, and each of a size that is known. */
export function areSmall(sources: readonly Sized[]): boolean {
  const bytes = sources.reduce((sum, { size }) => sum + (size ?? Number.POSITIVE_INFINITY), 0)
  return bytes <= SMALL_SOURCES && !sources.some(({ name }) => isPacked(name))
}

/** Whether a file holds more than its bytes say. */
function isPacked(name: string): boolean {
  return /\.gz$/i.test(name) || formatsOfFile(name).some(({ isBinary }) => isBinary)
}

/** Whether the store with this URL is small, so that nothing takes long in it; one that does not exist is. */
export async function isSmallStore(url: string): Promise<boolean> {
  return (await (await storeAt(url)).size()) <= SMALL_STORE
}
