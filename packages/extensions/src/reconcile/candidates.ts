/** Turns a query into its candidates. A candidate is a match only if no other entity found can be meant. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Entity, JsonObject } from '@worldwright/client/protocol'
import { QUERY_MAX_VALUES } from '@worldwright/core'
import type { Condition } from '@worldwright/core/store'
import { nameOf, typeName } from '../pages/seen-text.ts'
import { valuesAt } from '../query/projection.ts'
import { cellsIn, labelled, type Service, searched } from './entities.ts'
import { isCode, unitsOf } from './names.ts'
import type { CellQuery } from './read-queries.ts'

/** Minimum entities that are judged, whatever the limit: a second one of the same name must be seen. */
const SEEN = 12

/** Returns the candidates of a query, best first. */
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
    // The order of the search says more than the likeness of two names.
    score = Math.min(score, Math.round(one.likeness * 100))
    return { ...labelled(one.entity), type, score, match: one === match }
  })
}

/** Finds the entities to judge. Properties are queried as by `worldwright:query`, in every kind that they may have. */
async function entitiesFor(service: Service, { text, types, limit, properties }: CellQuery) {
  if (types.length > 0 && !types.includes(service.type.type)) return { entities: [], partial: false }
  const known = (await service.world.types()).map(({ type }) => type)
  // All references together number at most as many as `worldwright:query` takes in one list.
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

/** Judges one entity. `sameness`: 2 for the name or the id, 1 for a code. An absent value does not differ. */
async function judge(service: Service, entity: Entity, query: CellQuery) {
  const { text, properties } = query
  // Many entities are judged, so yield to other requests between two of them.
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
  // A plain number may also be a name, and the id of another entity.
  const isNamed = (isOfId && !/^\d+$/.test(text)) || names.some(query.isNamed)
  const sameness = isNamed ? 2 : sharesCode(query.units, names.flatMap(unitsOf)) ? 1 : 0
  const isAlike = isNamed || isOfId || text === ''
  const alike = isAlike ? 1 : names.reduce((most, name) => Math.max(most, query.similarity(name)), 0)
  const likeness = properties.length > 0 ? (2 * alike + agreement) / 3 : alike
  return { entity, sameness, differs: verdicts.includes(false), rank: sameness + agreement, likeness }
}

/** Reports whether both share a code, written together or apart and, if the query has other words, one of those too. */
function sharesCode(asked: readonly string[], own: readonly string[]): boolean {
  const units = new Set([...own, ...own.slice(1).map((unit, at) => own[at] + unit)])
  const others = asked.filter((unit) => !isCode(unit))
  const hasCode = asked.some((unit) => isCode(unit) && units.has(unit))
  return hasCode && (others.length === 0 || others.some((unit) => units.has(unit)))
}
