/** Converts facets to JSON. Values have the same format as in entities. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { FacetBucket, FacetRequest, FacetResult, Group } from '@worldwright/core/store'
import { textFromInstant } from './instants.ts'
import { propertyFromPath } from './property-path.ts'

/** Returns a facet request and its result as JSON. */
export function facetJson(request: FacetRequest, { buckets, ...numbers }: FacetResult): JsonObject {
  const { minimum, maximum, ...counts } = numbers
  const isInstant = request.facet !== 'referrers' && request.kind === 'instant'
  const spelt = (value: NonNullable<FacetBucket['value']>) => valueJson(value, isInstant)
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
      ...(isPath(path) && { property: propertyFromPath(path) }),
      count,
    })),
  }
}

function askedFor(request: FacetRequest): JsonObject {
  if (request.facet === 'referrers') return { referrers: { ...request.target } }
  return { property: propertyFromPath(request.property), kind: request.kind }
}

function isPath(path: readonly string[] | undefined): path is readonly [string, ...string[]] {
  return path !== undefined && path.length > 0
}

/** Returns a value in the format of entities, and an instant as a timestamp. */
export function valueJson(value: Group['key'][number], isInstant: boolean): JsonValue {
  if (isInstant && typeof value === 'number') return textFromInstant(value)
  if (typeof value !== 'object' || value === null) return value
  return 'longitude' in value ? [value.longitude, value.latitude] : { type: value.type, id: value.id }
}
