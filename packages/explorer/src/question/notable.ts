/** Finds notable entities of a world: the most referenced, the most complete, or a random one. */
import type { Entity, EntityRef, JsonObject } from '@worldwright/client'
import { referenceIn } from '@worldwright/extensions/shown'
import { allOf, hasValue, propertyOf } from '@worldwright/extensions/views'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'
import { askablesOf } from './askable.ts'
import { type Asking, ask } from './question.ts'

/** Maximum number of entities counted per reference property, and maximum number of such properties. */
const MOST = 12
const PROPERTIES = 16

/** Returns the number of entities of each type, and references to those most referenced, most referenced first. */
export async function notableOf(world: Asking, profile: WorldProfile, signal: AbortSignal) {
  const referring = profile.types
    .flatMap((type) => askablesOf(profile, type))
    .filter(({ kind }) => kind === 'reference')
  const keys = [...new Set(referring.map(({ key }) => key))].slice(0, PROPERTIES)
  const facets = keys.map((key) => ({ property: propertyOf(key), kind: 'reference', limit: MOST }))
  const answer = await ask(world, { ...(keys.length > 0 && { facets }), limit: 0 }, { signal })
  const referred = new Map<string, { ref: EntityRef; count: number }>()
  for (const { value, count } of answer.facets.flatMap(({ buckets }) => buckets)) {
    const ref = referenceIn(value)
    if (ref === undefined) continue
    const key = `${ref.type} ${ref.id}`
    referred.set(key, { ref, count: count + (referred.get(key)?.count ?? 0) })
  }
  const best = [...referred.values()].toSorted((a, b) => b.count - a.count).map(({ ref }) => ref)
  return { counts: answer.counts, notable: Map.groupBy(best, ({ type }) => type) }
}

/** Maximum number of properties for which an entity must have values. */
const ASKED = 12

/**
 * Returns up to `limit` complete entities of a type: those with values for the first half of its first `ASKED` properties.
 * Returns an empty array if no entity qualifies or queries are not supported.
 */
export async function completeOf(
  world: Asking,
  profile: WorldProfile,
  type: TypeProfile,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Entity[]> {
  const keys = askablesOf(profile, type)
    .filter(({ kind }) => kind !== 'place')
    .map(({ key }) => key)
    .slice(0, ASKED)
  const where = allOf(keys.slice(0, Math.ceil(keys.length / 2)).map(hasValue))
  if (where === undefined) return []
  return (await ask(world, { types: [type.type], where, limit }, { signal })).entities
}

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'

/**
 * Returns a reference to a random entity: the first one in id order at or after a random prefix, or else the first of all.
 * Returns undefined if the type has no entities. `random` returns a number in [0, 1).
 */
export async function anyEntity(world: Asking, type: string, random: () => number, signal: AbortSignal) {
  const letter = () => LETTERS[Math.floor(random() * LETTERS.length)]
  const where = { op: '>=', args: [{ property: 'id' }, `${letter()}${letter()}`] }
  const first = async (question: JsonObject) =>
    (await ask(world, { types: [type], sort: ['id'], limit: 1, ...question }, { signal })).entities[0]
  const found = (await first({ where })) ?? (await first({}))
  return found && { type: found.type, id: found.id }
}
