/** Entities of a world worth a look: the most referenced, the most complete, or one at random. */
import type { Entity, EntityRef, JsonObject } from '@worldwright/client'
import { referenceIn } from '../data/values.ts'
import type { TypeProfile, WorldProfile } from '../world/world-profile.ts'
import { askablesOf, propertyOf } from './askable.ts'
import { type Asking, ask } from './question.ts'

/** Maximum entities named per property that refers, and maximum properties examined. */
const MOST = 12
const PROPERTIES = 16

/** Returns the most referenced entities, by type, in descending order. */
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

/** Maximum properties that are required together. */
const ASKED = 12

/**
 * Returns the most complete entities of a type: those that have a value for as many of its first properties as any has.
 * Empty if the world answers no questions, or if none has half of them.
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
 * Returns a random entity: the first by id after a random beginning. `random` is from 0 to below 1. Undefined
 * if there is none.
 */
export async function anyEntity(world: Asking, type: string, random: () => number, signal: AbortSignal) {
  const letter = () => LETTERS[Math.floor(random() * LETTERS.length)]
  const where = { op: '>=', args: [{ property: 'id' }, `${letter()}${letter()}`] }
  const first = async (question: JsonObject) =>
    (await ask(world, { types: [type], sort: ['id'], limit: 1, ...question }, { signal })).entities[0]
  const found = (await first({ where })) ?? (await first({}))
  return found && { type: found.type, id: found.id }
}
