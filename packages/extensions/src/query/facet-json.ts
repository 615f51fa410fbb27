/** Converts facets to JSON. Values have the same format as in entities. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { FacetBucket, FacetRequest, FacetResult } from '@worldwright/core/store'
import { textFromInstant } from './instants.ts'
import { propertyFromPath } from './property-path.ts'

/** Returns a facet request and its result as JSON. */
export function facetJson(request: FacetRequest, { buckets, ...numbers }: FacetResult): JsonObject {
  const { minimum, maximum, ...counts } = numbers
  const isInstant = request.facet !== 'referrers' && request.kind === 'instant'
  const spelt = (value: FacetBucket['value']): JsonValue => {
    if (isInstant && typeof value === 'number') return textFromInstant(value)
    return typeof value === 'object' ? { type: value.type, id: value.id } : (value ?? null)
  }
  return {
    ...askedFor(request),
    ...counts,
    ...(minimum !== undefined && { minimum: spelt(minimum) }),
    ...(maximum !== undefined && { maximum: spelt(maximum) }),
    buckets: buckets.map(({ value, from, to, type, path, count }) => ({
      ...(value !== undefined && { value: spelt(value) }),
      ...(from !== undefined && { from: spelt(from) }),
      ...(to !== undefined && { to: spelt(to) }),
      ...(type !== undefined && { type }),
      ...(isPath(path) && { property: jsonOf(propertyFromPath(path)) }),
      count,
    })),
  }
}

function askedFor(request: FacetRequest): JsonObject {
  if (request.facet === 'referrers') return { referrers: { ...request.target } }
  return { property: jsonOf(propertyFromPath(request.property)), kind: request.kind }
}

function isPath(path: readonly string[] | undefined): path is readonly [string, ...string[]] {
  return path !== undefined && path.length > 0
}

/** Returns a property as JSON. A list is copied because JSON lists are mutable. */
export function jsonOf(property: string | readonly string[]): JsonValue {
  return typeof property === 'string' ? property : [...property]
}
