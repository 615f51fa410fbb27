/** The counts beside a list: of each property, over what fits all other filters. */
import type { JsonObject, World } from '@worldwright/client'
import { type Remote, useRemote } from '../parts/use-remote.ts'
import { type Askable, isCounted, isMeasured, propertyOf } from '../question/askable.ts'
import { conditionFrom } from '../question/cql.ts'
import { conditionOf, type Filter } from '../question/filters.ts'
import { ask, type Facet } from '../question/question.ts'
import { createMemory } from '../world/memory.ts'

/** Facets by the key of their property. */
export type Facets = ReadonlyMap<string, Facet>

/** What facets are asked of. */
export interface FacetQuestion {
  readonly type: string
  readonly text: string
  readonly filters: readonly Filter[]
  /** A condition in CQL2-Text that holds as well; empty for none. */
  readonly cql: string
  readonly askables: readonly Askable[]
  /** The keys of the properties to count. */
  readonly keys: readonly string[]
}

/** Values of a property that are named, and bars of a histogram. */
const MOST_VALUES = 8
const BARS = 24
/** Facets of one question: what worlds take. */
const AT_ONCE = 16

const answers = createMemory<Facets>(60)

/** Counts what fits a question. A property with a filter is counted without it, so that another value can be chosen. */
export function useFacets(world: World, question: FacetQuestion): Remote<Facets> {
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
  const groups = [...counted.filter(isFiltered).map((one) => [one]), ...inGroups(free)]
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
  const where = conditionOf(others, askables, await conditionFrom(cql))
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

function inGroups<T>(all: readonly T[]): T[][] {
  const groups: T[][] = []
  for (let from = 0; from < all.length; from += AT_ONCE) groups.push(all.slice(from, from + AT_ONCE))
  return groups
}
