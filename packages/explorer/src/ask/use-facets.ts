/** Counts the values of each property, for the filters beside a list. A property's own filter does not affect its counts. */
import type { JsonObject, World } from '@worldwright/client'
import { type Asked, conditionOf, propertyOf } from '@worldwright/extensions/views'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { useOpenWorld } from '../parts/world-context.ts'
import { type Askable, isCounted, isMeasured } from '../question/askable.ts'
import { conditionFrom } from '../question/cql.ts'
import { ask, type Facet } from '../question/question.ts'
import { createMemory } from '../world/memory.ts'

/** Facets by the key of their property. */
export type Facets = ReadonlyMap<string, Facet>

/** The part of a list's question on which facets depend, and the keys of the properties to count. */
export interface FacetQuestion extends Pick<Asked, 'text' | 'filters' | 'cql'> {
  readonly type: string
  readonly askables: readonly Askable[]
  readonly keys: readonly string[]
}

/** Maximum number of values per property, and number of bars per histogram. */
const MOST_VALUES = 8
const BARS = 24
/** Maximum number of facets that a world accepts in one question. */
const AT_ONCE = 16

const answers = createMemory<Facets>(60)

/** Counts each property's values among the matches, ignoring its own filter so that other values are offered too. */
export function useFacets(question: FacetQuestion): Remote<Facets> {
  const { world } = useOpenWorld()
  const { type, text, filters, cql, keys } = question
  const key = JSON.stringify([world.origin, type, text, filters, cql, keys])
  return useRemote(keys.length === 0 ? undefined : key, (signal) => count(world, question, signal), {
    keep: true,
    memory: answers,
  })
}

async function count(world: World, question: FacetQuestion, signal: AbortSignal): Promise<Facets> {
  const { askables, keys, filters } = question
  const counted = askables.filter((askable) => keys.includes(askable.key) && requestOf(askable) !== undefined)
  const isFiltered = ({ key }: Askable) => filters.some((filter) => filter.key === key)
  const free = counted.filter((askable) => !isFiltered(askable))
  const together = Map.groupBy(free.entries(), ([index]) => Math.floor(index / AT_ONCE)).values()
  const groups = [
    ...counted.filter(isFiltered).map((one) => [one]),
    ...[...together].map((group) => group.map(([, one]) => one)),
  ]
  const found = await Promise.all(groups.map((group) => countGroup(world, question, group, signal)))
  return new Map(found.flat())
}

async function countGroup(
  world: World,
  { type, text, filters, cql, askables }: FacetQuestion,
  group: readonly Askable[],
  signal: AbortSignal,
): Promise<[string, Facet][]> {
  const others = filters.filter(({ key }) => !group.some((askable) => askable.key === key))
  const where = conditionOf(others, askables, await conditionFrom({ cql, filters }, askables))
  const facets = group.map((askable) => requestOf(askable) ?? {})
  const question = { types: [type], ...(text !== '' && { text }), ...(where && { where }), facets, limit: 0 }
  const answer = await ask(world, question, { signal })
  return group.flatMap(({ key }, index): [string, Facet][] => {
    const facet = answer.facets[index]
    return facet === undefined ? [] : [[key, facet]]
  })
}

function requestOf(askable: Askable): JsonObject | undefined {
  const { key, kind } = askable
  const asked = { property: propertyOf(key), kind }
  if (isMeasured(askable)) return { ...asked, histogram: BARS }
  return isCounted(askable) ? { ...asked, limit: MOST_VALUES } : undefined
}
