/** Types and functions shared by the two ways to fetch a world: by changes and by lists. */
import type { LineSorter } from './line-sorter.ts'
import type { Manifest } from './manifest.ts'
import type { Reading } from './reading.ts'

/** Result of fetching from a world. */
export interface Taken extends Pick<Manifest, 'changes' | 'etags'>, Omit<Reading, 'unrecognised'> {
  /** True if all entities were fetched, so that any other entity in the mirror has been deleted. */
  readonly isAll: boolean
}

/** Adds an upsert or a tombstone to the sorter. `line` is the entity as JSON, or empty for a tombstone. */
export async function sortIn(sorter: LineSorter, type: string, id: string, line: string): Promise<void> {
  await sorter.add(`${type}\0${id}`, line)
}

/** Returns the type and the id in a sort key. */
export function nameFrom(key: string): readonly [type: string, id: string] {
  const end = key.indexOf('\0')
  return [key.slice(0, end), key.slice(end + 1)]
}
