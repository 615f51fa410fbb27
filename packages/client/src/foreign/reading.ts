/**
 * State of the reading of one world: its names, as far as they are known.
 */
import type { Found, Known } from './find.ts'
import type { Interpretation } from './interpretation.ts'
import { NAMEABLE, type Names, READING, type ReadingProfile } from './names.ts'

/** Names of one world. They grow while the world is read. */
export interface Reading {
  readonly known: Known & {
    declared?: readonly string[] | undefined
    readonly paths: { [Key in keyof Names]?: Omit<Found, 'value'>[] }
    readonly ids: Record<string, Omit<Found, 'value'>[] | undefined>
  }
  /** Pending and finished proofs of ids, by type. */
  readonly proofs: Record<string, Promise<void>>
  /** Parts that were found last, by key. */
  readonly seen: Record<string, Interpretation['found'][string]>
}

/** Creates the reading of a world from names given by hand, and from the profile of an earlier reading. */
export function createReading(given: Names, { names = {}, proved = [] }: Partial<ReadingProfile>): Reading {
  const paths: Reading['known']['paths'] = {}
  for (const [key, path] of Object.entries(names))
    paths[key as keyof Names] = [{ path, certainty: proved.includes(key as never) ? 'proved' : 'likely' }]
  return { known: { ...given, paths, ids: Object.create(null) }, proofs: {}, seen: {} }
}

/** Returns all names that are known and differ from ours. */
export function profileFromReading({ known, seen }: Reading): ReadingProfile {
  const names: [string, string][] = []
  const proved: (keyof Names)[] = []
  for (const key of NAMEABLE) {
    const path = known[key]
    const one = path === undefined ? (known.paths[key]?.[0] ?? seen[key]) : { path, certainty: 'given' }
    if (!one || one.certainty === 'ours') continue
    names.push([key, one.path])
    // The types of a world may have different names for the id, but a profile has one name.
    const all = key === 'id' ? Object.values(known.ids).map((ids) => ids?.[0]) : []
    if ([one, ...all].every((id) => id?.path === one.path && id.certainty !== 'likely')) proved.push(key)
  }
  return { profile: READING, names: Object.fromEntries(names), proved }
}
