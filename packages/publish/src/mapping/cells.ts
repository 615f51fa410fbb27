/** Conversion of table cells to values. */
import { holdsValue } from '@worldwright/client/exact'
import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import { parseJson } from '@worldwright/entities'
import { affixesIn } from './number-text.ts'

/** Kind of value to which the text of a table cell is converted. */
export type CellKind = 'text' | 'number' | 'integer' | 'boolean' | 'json'

/** Returns the kind of an attribute's cells or, if `list` is set, of the elements of a cell with a separator. */
export type CellTypes = (attribute: string, list: boolean) => CellKind

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const TRUTHS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  1: true,
  0: false,
}

/** Returns the value of a nonempty cell, or a fault. */
export function cellValue(
  text: string,
  kind: CellKind,
): { readonly value: JsonValue } | { readonly fault: string } {
  switch (kind) {
    case 'text':
      return { value: text }
    case 'boolean': {
      const value = TRUTHS[text.trim().toLowerCase()]
      return value === undefined ? { fault: `${JSON.stringify(text)} is neither true nor false` } : { value }
    }
    case 'json': {
      const parsed = parseJson(text)
      return 'value' in parsed ? parsed : { fault: parsed.fault.message }
    }
    default: {
      const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN
      if (!Number.isFinite(value)) {
        const [affix] = Object.entries(affixesIn(text.trim()))
        const advice = affix
          ? `; if all cells have its unit, say ${affix[0]}: ${JSON.stringify(affix[1].trim())}`
          : ''
        return { fault: `${JSON.stringify(text)} is no number${advice}` }
      }
      const isInteger = kind === 'integer'
      if (!holdsValue(value, text.trim()) || (isInteger && !Number.isSafeInteger(value)))
        return {
          fault: `${JSON.stringify(text)} is no ${isInteger ? 'whole ' : ''}number that can be held exactly`,
        }
      return { value: Object.is(value, -0) ? 0 : value }
    }
  }
}

/** Returns a lookup of cell kinds by type, in which attributes of undescribed types are text. */
export function createCellTypes(
  types: readonly { readonly type: string; readonly schema?: JsonObject }[],
): (type: string | undefined) => CellTypes {
  const known = new Map(types.map(({ type, schema }) => [type, cellTypesOf(schema)]))
  const text = cellTypesOf(undefined)
  return (type) => (type === undefined ? undefined : known.get(type)) ?? text
}

/** Returns the cell kinds required by a schema's `properties`, which default to text. */
export function cellTypesOf(schema: JsonObject | undefined): CellTypes {
  const properties = schema?.['properties']
  const kinds = new Map<string, readonly [whole: CellKind, element: CellKind]>()
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      const items = isObject(property) ? property['items'] : undefined
      kinds.set(name, [kindOf(property), items === undefined ? 'text' : kindOf(items)])
    }
  }
  return (attribute, list) => kinds.get(attribute)?.[list ? 1 : 0] ?? 'text'
}

function kindOf(property: JsonValue): CellKind {
  if (!isObject(property)) return 'text'
  const types = [property['type']].flat().filter((type) => type !== 'null')
  // If the schema also allows text, the cell is not converted.
  if (types.length !== 1) return 'text'
  switch (types[0]) {
    case 'integer':
    case 'number':
    case 'boolean':
      return types[0]
    case 'object':
    // A list without a separator is written as JSON.
    case 'array':
      return 'json'
    default:
      return 'text'
  }
}
