/** What a mirror takes from a world: entities, in one of two ways. */
import { WorldError } from '@worldwright/client'
import { addressFault } from '@worldwright/client/protocol'
import type { LineSorter } from './line-sorter.ts'
import type { Manifest } from './manifest.ts'

/** What was taken from a world. */
export interface Taken extends Pick<Manifest, 'changes' | 'etags'> {
  /** All that the world holds was taken: what is not among it is gone. */
  readonly isAll: boolean
}

/** Puts an entity, or that it was deleted, where the file of its type is made from. `line`: empty if it was deleted. */
export async function sortIn(sorter: LineSorter, type: string, id: string, line: string): Promise<void> {
  await sorter.add(`${type}\0${id}`, line)
}

/** The type and the id that lines were sorted by. */
export function nameFrom(key: string): readonly [type: string, id: string] {
  const end = key.indexOf('\0')
  return [key.slice(0, end), key.slice(end + 1)]
}

/** @throws WorldError `invalid_response` for a type or an id that names nothing in any world */
export function requireName(type: unknown, id: unknown, url: string): void {
  for (const [member, text] of Object.entries({ type, id }))
    if (typeof text !== 'string' || addressFault(text) !== undefined)
      throw new WorldError('invalid_response', `An entity has no ${member} that can be one.`, {
        url,
        details: { member },
      })
}
