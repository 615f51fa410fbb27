/** Questions for a sample of the matches. */
import { isWorldError, type JsonObject } from '@worldwright/client'
import type { WorldProfile } from '../world/world-profile.ts'
import { answersGroups } from './askable.ts'

/** Order of a sample: by a hash of the id. */
const SAMPLE = [{ op: 'sample', args: [] }]

/**
 * Calls `read` with a question whose first matches are a sample of all. If the world has no such order, calls it with the
 * question in the order of ids, and `isSample` is false.
 */
export async function sampled<T>(
  profile: WorldProfile,
  question: JsonObject,
  read: (question: JsonObject, isSample: boolean) => Promise<T>,
): Promise<T> {
  const { sort: _, ...byId } = question
  if (!answersGroups(profile)) return read(byId, false)
  try {
    return await read({ ...byId, sort: SAMPLE }, true)
  } catch (error) {
    // Some stores do not order by a hash, and say so with a refusal.
    if (!isWorldError(error) || error.code !== 'invalid_argument') throw error
    return read(byId, false)
  }
}
