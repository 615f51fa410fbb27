/** Finds notable entities of a world: the most referenced, the most complete, or a random one. */
import type { Entity, EntityRef, JsonObject } from '@worldwright/client'
import { referenceIn } from '@worldwright/extensions/shown/values'
import { propertyOf } from '@worldwright/extensions/views'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'
import { askablesOf } from './askable.ts'
import { type Asking, ask } from './question.ts'

/** Maximum number of entities counted per reference property, and maximum number of such properties. */
const MOST = 12
const PROPERTIES = 16

/** Returns references to the most referenced entities of each type, most referenced first. */
export async function notableOf(world: Asking, profile: WorldProfile, signal: AbortSignal) {
  const referring = profile.types
    .flatMap((type) => askablesOf(profile, type))
    .filter(({ kind }) => kind === 'reference')
  const keys = [...new Set(referring.map(({ key }) => key))].slice(0, PROPERTIES)
  if (keys.length === 0) return new Map<string, EntityRef[]>()
  const facets = keys.map((key) => ({ property: propertyOf(key), kind: 'reference', limit: MOST }))
  const answer = await ask(world, { facets, limit: 0 }, { signal })
  const counts = new Map<string, { ref: EntityRef; count: number }>()
  for (const { value, count } of answer.facets.flatMap(({ buckets }) => buckets)) {
    const ref = referenceIn(value)
    if (ref === undefined) continue
    const key = `${ref.type} ${ref.id}`
    counts.set(key, { ref, count: count + (counts.get(key)?.count ?? 0) })
  }
  const best = [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ ref }) => ref)
  return Map.groupBy(best, ({ type }) => type)
}

/** Maximum number of properties for which an entity must have values. */
const ASKED = 12

/**
 * Returns up to `limit` complete entities of a type: those with values for all of its first `ASKED` properties or, failing
 * that, for the first half of these. Returns an empty array if no entity qualifies or queries are not supported.
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
  for (const number of new Set([keys.length, Math.ceil(keys.length / 2)])) {
    if (number === 0) break
    const given = keys
      .slice(0, number)
      .map((key) => ({ op: 'not', args: [{ op: 'isNull', args: [{ property: propertyOf(key) }] }] }))
    const where = given.length > 1 ? { op: 'and', args: given } : given[0]
    const { entities } = await ask(world, { types: [type.type], ...(where && { where }), limit }, { signal })
    if (entities.length > 0) return entities
  }
  return []
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
