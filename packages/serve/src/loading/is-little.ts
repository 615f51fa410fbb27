/** Loads that finish sooner than a thread starts. */

import { storeAt } from '@worldwright/engines'
import { formatsOfFile } from '@worldwright/publish/formats'

/** Maximum total size of small sources, in bytes. */
const SMALL_SOURCES = 1024 * 1024
/** Maximum size of a small store, in bytes: emptying it and rebuilding its index takes no longer. */
const SMALL_STORE = 16 * 1024 * 1024

/** A file, or another input. */
export interface Sized {
  readonly name: string
  /** In bytes; absent if it is unknown before reading. */
  readonly size?: number | undefined
}

/** Reports whether these sources are quick to load: few bytes, not compressed, and each of known size. */
export function areSmall(sources: readonly Sized[]): boolean {
  const bytes = sources.reduce((sum, { size }) => sum + (size ?? Number.POSITIVE_INFINITY), 0)
  return bytes <= SMALL_SOURCES && !sources.some(({ name }) => isPacked(name))
}

/** Reports whether a file may hold more data than its size shows. */
function isPacked(name: string): boolean {
  return /\.gz$/i.test(name) || formatsOfFile(name).some(({ isBinary }) => isBinary)
}

/** Reports whether the store at this URL is small, so that nothing takes long in it. A missing store is small. */
export async function isSmallStore(url: string): Promise<boolean> {
  return (await (await storeAt(url)).size()) <= SMALL_STORE
}
