/** Predicates for loads that take less time than starting a thread. */

import { storeAt } from '@worldwright/engines'
import { formatsOfFile } from '@worldwright/publish/formats'

/** Maximum total size of small sources, in bytes. */
const SMALL_SOURCES = 1024 * 1024
/** Maximum size of a small store, in bytes. Emptying it and rebuilding its index is as fast as starting a thread. */
const SMALL_STORE = 16 * 1024 * 1024

/** A file or other input, with its size. */
export interface Sized {
  readonly name: string
  /** Size in bytes; absent if it is unknown before reading. */
  readonly size?: number | undefined
}

/** Reports whether sources are quick to load: every size is known, the total is small, and none is compressed. */
export function areSmall(sources: readonly Sized[]): boolean {
  const bytes = sources.reduce((sum, { size }) => sum + (size ?? Number.POSITIVE_INFINITY), 0)
  return bytes <= SMALL_SOURCES && !sources.some(({ name }) => isPacked(name))
}

/** Reports whether a file may be compressed. */
function isPacked(name: string): boolean {
  return /\.gz$/i.test(name) || formatsOfFile(name).some(({ isBinary }) => isBinary)
}

/** Reports whether the store at a URL is small, so that all operations on it are fast. A missing store is small. */
export async function isSmallStore(url: string): Promise<boolean> {
  return (await (await storeAt(url)).size()) <= SMALL_STORE
}
