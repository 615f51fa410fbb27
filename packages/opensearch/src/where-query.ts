/** Converts conditions to OpenSearch queries. */
import type { Condition, Operand, PropertyPath, ValueKind } from '@worldwright/core/store'
import { kindOfLeaf, type Leaf, pathKey } from '@worldwright/search'
import type { EngineQuery } from './clause-queries.ts'
import { indexedBoolean, targetOf, valueField } from './documents.ts'

/** Kinds of values that are indexed in fields. */
export const VALUE_KINDS = ['number', 'boolean', 'text', 'instant', 'reference', 'place'] as const

/** Matches documents that satisfy a condition or, if `wanted` is false, fail it. Unknown values neither satisfy nor fail. */
export function whereQuery(condition: Condition, wanted = true): EngineQuery {
  switch (condition.op) {
    case 'not':
      return whereQuery(condition.condition, !wanted)
    case 'and':
    case 'or': {
      const each = condition.conditions.map((one) => whereQuery(one, wanted))
      return (condition.op === 'and') === wanted ? allOf(each) : anyOf(each)
    }
    case 'in':
      return whereQuery({ op: 'or', conditions: equalities(condition) }, wanted)
    case 'containsAll':
      return whereQuery({ op: 'and', conditions: equalities(condition) }, wanted)
    case 'absent': {
      const present = presentQuery(condition.property)
      return wanted ? noneOf(present) : present
    }
    case 'refersTo': {
      const referring = { term: { targets: targetOf(condition.target) } }
      return wanted ? referring : noneOf(referring)
    }
    default:
      return leafQuery(condition, wanted)
  }
}

/** Matches documents with a value of a kind at a path. */
export function existsQuery(property: PropertyPath, kind: ValueKind): EngineQuery {
  return { exists: { field: valueField(property, kind) } }
}

/** Query that matches no documents. */
export const NOTHING: EngineQuery = { match_none: {} }

function presentQuery(property: PropertyPath): EngineQuery {
  const kinds = VALUE_KINDS.map((kind) => existsQuery(property, kind))
  return anyOf([...kinds, { term: { unindexed: pathKey(property) } }])
}

function leafQuery(leaf: Leaf, wanted: boolean): EngineQuery {
  const kind = kindOfLeaf(leaf)
  // A range between values of two kinds is unknown for every document, so the range and its negation match nothing.
  if (kind === undefined) return NOTHING
  const held = heldQuery(leaf, valueField(leaf.property, kind))
  return wanted ? held : { bool: { filter: existsQuery(leaf.property, kind), must_not: held } }
}

function heldQuery(leaf: Leaf, field: string): EngineQuery {
  switch (leaf.op) {
    case '=':
      return isBroken(leaf.value) ? NOTHING : { term: { [field]: { value: asIndexed(leaf.value) } } }
    case 'between':
      return { range: { [field]: { ...bound('>=', leaf.low), ...bound('<=', leaf.high) } } }
    case 'prefix':
      return isBroken(leaf.prefix) ? NOTHING : { prefix: { [field]: { value: leaf.prefix } } }
    case 'inBox':
      return boxQuery(leaf, field)
    case 'within': {
      const { latitude: lat, longitude: lon } = leaf.center
      return {
        geo_distance: {
          distance: `${leaf.metres + PLACE_METRES}m`,
          [field]: { lat, lon },
          ignore_unmapped: true,
        },
      }
    }
    default:
      return { range: { [field]: bound(leaf.op, leaf.value) } }
  }
}

/** Tolerance in metres for locations on an edge. Generous: locations are stored to about a centimetre. */
const PLACE_METRES = 0.1
const PLACE_DEGREES = 1e-6

function boxQuery(
  { west, south, east, north }: Extract<Condition, { op: 'inBox' }>,
  field: string,
): EngineQuery {
  if (south > north) return NOTHING
  const top = Math.min(90, north + PLACE_DEGREES)
  const bottom = Math.max(-90, south - PLACE_DEGREES)
  const left = Math.max(-180, west - PLACE_DEGREES)
  const right = Math.min(180, east + PLACE_DEGREES)
  const box = { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } }
  return { geo_bounding_box: { [field]: box, ignore_unmapped: true } }
}

/** Returns the bound of a range. An operand with a lone surrogate equals no indexed text, but it has a sort order. */
function bound(op: '<' | '<=' | '>' | '>=', operand: Operand): object {
  const value = asIndexed(operand)
  const isAbove = op === '>' || op === '>='
  if (isBroken(operand)) return { [isAbove ? 'gte' : 'lt']: String(value).toWellFormed() }
  return { [`${isAbove ? 'gt' : 'lt'}${op.length > 1 ? 'e' : ''}`]: value }
}

function isBroken(operand: Operand): boolean {
  const value = asIndexed(operand)
  return typeof value === 'string' && !value.isWellFormed()
}

function asIndexed(operand: Operand): string | number {
  if (typeof operand === 'boolean') return indexedBoolean(operand)
  if (typeof operand !== 'object') return operand
  return 'instant' in operand ? operand.instant : targetOf(operand.reference)
}

function equalities({ property, values }: Extract<Condition, { op: 'in' | 'containsAll' }>): Condition[] {
  return values.map((value) => ({ op: '=', property, value }))
}

function allOf(queries: readonly EngineQuery[]): EngineQuery {
  return { bool: { filter: queries } }
}

function anyOf(queries: readonly EngineQuery[]): EngineQuery {
  return queries.length === 0 ? NOTHING : { bool: { should: queries, minimum_should_match: 1 } }
}

function noneOf(query: EngineQuery): EngineQuery {
  return { bool: { must_not: query } }
}
