import { setImmediate as turn } from 'node:timers/promises'
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import type { Condition } from '@worldwright/core/store'
import { nameOf, typeName } from '../pages/seen-text.ts'
import { QUERY_MAX_VALUES } from '../query/limits.ts'
import { valuesAt } from '../query/projection.ts'
import { cellsIn, labelled, type Service, searched } from './entities.ts'
import { isCode, unitsOf } from './names.ts'
import type { CellQuery } from './read-queries.ts'

/** Minimum number of entities to judge, regardless of the limit, so that a second entity with the same name is found. */
const SEEN = 12

/** Returns the candidates for a query, best first. One is a match only if no other entity could be meant. */
export async function candidatesOf(service: Service, query: CellQuery): Promise<JsonObject[]> {
  const { entities, partial } = await entitiesFor(service, query)
  const judged = await Array.fromAsync(entities, (entity) => judge(service, entity, query))
  const best = Math.max(1, ...judged.map(({ sameness }) => sameness))
  const possible = judged.filter(({ sameness, differs }) => sameness === best && !differs)
  const match = partial || possible.length > 1 ? undefined : possible[0]
  const type = [{ id: service.type.type, name: typeName(service.type) }]
  const ranked = judged.toSorted((one, other) => other.rank - one.rank).slice(0, query.limit)
  let score = 100
  return ranked.map((one) => {
    // Scores never increase down the list, because the rank matters more than the similarity of names.
    score = Math.min(score, Math.round(one.likeness * 100))
    return { ...labelled(one.entity), type, score, match: one === match }
  })
}

/** Finds the entities to judge. Property values are compared as text, as numbers and as references. */
async function entitiesFor(service: Service, { text, types, limit, properties }: CellQuery) {
  if (types.length > 0 && !types.includes(service.type.type)) return { entities: [], partial: false }
  const known = (await service.world.types()).map(({ type }) => type)
  // The total number of references is limited to the maximum list length of `worldwright:query`.
  const most = QUERY_MAX_VALUES / Math.max(1, properties.flatMap(({ values }) => values).length)
  const conditions = properties.map(({ property: { path, kinds, isList }, values }): Condition => {
    const at = [...path.flatMap((name) => ['properties', name]), ...(isList ? ['items'] : [])]
    const ends = ['const', 'enum'].map((word) => [...at, 'properties', 'type', word])
    const said = ends.flatMap((end) => valuesAt(service.type.schema ?? {}, end))
    const some = kinds.has('reference') ? known.filter((type) => !said[0] || said.includes(type)) : []
    const references = values.flatMap((id) =>
      some.slice(0, most).map((type) => ({ reference: { type, id } })),
    )
    const numbers = values.filter((value) => /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)).map(Number)
    return { op: 'in', property: path, values: [...values, ...numbers, ...references] }
  })
  const where: Condition | undefined = conditions.length > 0 ? { op: 'and', conditions } : undefined
  return searched(service, { text, where, limit: Math.max(limit, SEEN) })
}

/** Judges an entity. `sameness` is 2 if the name or id matches, or 1 if a code does. Absent properties are not compared. */
async function judge(service: Service, entity: Entity, query: CellQuery) {
  const { text, properties } = query
  // Yield to other requests, since many entities may be judged.
  await turn(undefined, { signal: service.signal })
  const cellsAt = properties.length > 0 ? await cellsIn(service, entity) : () => []
  const verdicts = properties.map(({ property, isAsked }) => {
    const own = cellsAt(property.path).flatMap((cell) => Object.values(cell).map(String))
    const yearsAndMonths = own.flatMap((one) => /^((\d{4})-\d\d)-\d\d/.exec(one)?.slice(1) ?? [])
    return own.length === 0 ? undefined : [...own, ...yearsAndMonths].some(isAsked)
  })
  const agreement = verdicts.filter((verdict) => verdict).length / Math.max(1, properties.length)
  const { aliases = [] } = entity.attributes
  const names = [nameOf(entity), ...[aliases].flat().filter((name) => typeof name === 'string')]
  const isOfId = entity.id === text
  // A plain number may also be a name, or the id of another entity.
  const isNamed = (isOfId && !/^\d+$/.test(text)) || names.some(query.isNamed)
  const sameness = isNamed ? 2 : sharesCode(query.units, names.flatMap(unitsOf)) ? 1 : 0
  const isAlike = isNamed || isOfId || text === ''
  const alike = isAlike ? 1 : names.reduce((most, name) => Math.max(most, query.similarity(name)), 0)
  const likeness = properties.length > 0 ? (2 * alike + agreement) / 3 : alike
  return { entity, sameness, differs: verdicts.includes(false), rank: sameness + agreement, likeness }
}

/** Reports whether `own` has a code from `asked`, whole or split in two, and, if `asked` has other words, one of those. */
function sharesCode(asked: readonly string[], own: readonly string[]): boolean {
  const units = new Set([...own, ...own.slice(1).map((unit, at) => own[at] + unit)])
  const others = asked.filter((unit) => !isCode(unit))
  const hasCode = asked.some((unit) => isCode(unit) && units.has(unit))
  return hasCode && (others.length === 0 || others.some((unit) => units.has(unit)))
}
