/** Converts the questions of views to the conditions and inputs of `worldwright:query`. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { ValueKind } from '@worldwright/core/store'
import type { Asked, Filter } from './asked.ts'
import { nearSort } from './near.ts'
import { propertyOf } from './property-key.ts'

/** A queryable property, by its key, with the kind as which its values are compared. */
export interface Known {
  readonly key: string
  readonly kind: ValueKind
}

/** Finds a property by its key, with its kind and whether its values are dates in text form. Undefined if unknown. */
export type KindOf = (key: string) => (Known & { readonly isDate: boolean }) | undefined

/** Kinds in order of preference, for properties with values of several kinds. */
export const KINDS: readonly ValueKind[] = ['boolean', 'number', 'instant', 'reference', 'text', 'place']

/** Returns the input of `worldwright:query` for a question. `cql` is its further condition, as CQL2-JSON. */
export function questionFrom(
  type: string,
  { text, filters, sort, near }: Asked,
  known: readonly Known[],
  cql?: JsonObject,
): JsonObject {
  const where = conditionOf(filters, known, cql)
  const order = near === undefined ? sort : nearSort(near)
  return {
    types: [type],
    ...(text !== '' && { text }),
    ...(where && { where }),
    ...(order !== '' && { sort: [order] }),
  }
}

/**
 * Combines the filters and the optional condition `text` into one CQL2-JSON condition, or undefined if there are none.
 * Includes filters of properties that are not queryable, so that the world's error can list those that are.
 */
export function conditionOf(
  filters: readonly Filter[],
  known: readonly Known[],
  text?: JsonObject,
): JsonObject | undefined {
  const own = filters.flatMap((filter) => {
    const kind = known.find(({ key }) => key === filter.key)?.kind
    return conditionsOf(filter, kind)
  })
  return allOf(text === undefined ? own : [...own, text])
}

/** Joins conditions into one. Returns undefined if there are none. */
export function allOf(conditions: readonly JsonObject[]): JsonObject | undefined {
  return conditions.length > 1 ? { op: 'and', args: [...conditions] } : conditions[0]
}

/** Returns the condition that a property has a value. */
export function hasValue(key: string): JsonObject {
  return { op: 'not', args: [{ op: 'isNull', args: [{ property: propertyOf(key) }] }] }
}

function conditionsOf(filter: Filter, kind: ValueKind = 'text'): JsonObject[] {
  const property = { property: propertyOf(filter.key) }
  if (filter.is === 'box') return [{ op: 's_intersects', args: [property, { bbox: [...filter.box] }] }]
  const spelt = (text: string) => literalOf(text, kind)
  if (filter.is === 'any') {
    const [first, ...others] = filter.values.map(spelt)
    if (first === undefined) return []
    return [
      others.length === 0
        ? { op: '=', args: [property, first] }
        : { op: 'in', args: [property, [first, ...others]] },
    ]
  }
  if (filter.is === 'none') return [{ op: 'isNull', args: [property] }]
  const { from, to, isBelow } = filter
  const [low, high] = [spelt(from), spelt(to)]
  // Of several values of an entity, the same one must be within both bounds.
  if (from !== '' && to !== '' && !isBelow && typeof low !== 'object' && typeof low === typeof high)
    return [{ op: 'between', args: [property, low, high] }]
  return [
    ...(from === '' ? [] : [{ op: '>=', args: [property, low] }]),
    ...(to === '' ? [] : [{ op: isBelow ? '<' : '<=', args: [property, high] }]),
  ]
}

/** Converts text to a CQL2-JSON value. Text that does not fit `kind` stays a string, which the world rejects. */
function literalOf(text: string, kind: ValueKind): JsonValue {
  if (kind === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'instant') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { date: text } : { timestamp: text }
  const [, type, id] = /^([^/]+)\/(.+)$/s.exec(text) ?? []
  if (kind === 'reference' && type !== undefined && id !== undefined) return { type, id }
  return text
}

/** Converts a facet value to the text form that filters use. */
export function textOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { type, id } = value as { type?: unknown; id?: unknown }
  return `${type}/${id}`
}
