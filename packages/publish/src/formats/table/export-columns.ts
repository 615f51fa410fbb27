/** Derives the table columns of a type from its attributes, with column names and value kinds. */
import {
  type Entity,
  isObject,
  type JsonObject,
  type JsonValue,
  typeFault,
} from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'

/** Maximum number of attributes. A wider table is refused, since few programs could display it. */
const MAX_COLUMNS = 1_000

/** Common kind of a column's values. `json` is used for lists, objects and mixed kinds, with each value as JSON. */
export type ColumnKind = 'string' | 'integer' | 'number' | 'boolean' | 'json'

/** A column for an attribute, after id, title and summary. */
export interface TableColumn {
  readonly attribute: string
  /** Attribute name, prefixed with `attributes.` if another column has that name. */
  readonly name: string
  readonly kind: ColumnKind
  /** Set if the schema declares dates. */
  readonly isDate: boolean
  /** Set if all values are references, or lists of references, to entities of one type. */
  readonly isReference: boolean
  /** Set if all values are references, or lists of them, or if the schema says that texts are ids. */
  readonly hasTitles: boolean
  /** Type of the entities whose ids the texts are. */
  readonly idsOf: string | undefined
}

/** Columns with which every table begins. */
export const FIRST_COLUMNS = ['id', 'title', 'summary'] as const

/**
 * Returns the columns of a type: the attributes in its schema, in that order, then any others in order of first occurrence.
 * The kind is the one declared by the schema if all values have it, or else the common kind of the values.
 * @throws TooManyColumns if there are more than 1,000 attributes
 */
export async function tableColumns(
  snapshot: Snapshot,
  type: string | undefined,
  schema: JsonObject = {},
): Promise<TableColumn[]> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const seen = new Map<string, Set<ColumnKind>>(Object.keys(properties).map((name) => [name, new Set()]))
  const referred = new Map<string, Set<string | undefined>>()
  for await (const { json } of snapshot.entities(type)) {
    for (const [name, value] of Object.entries((JSON.parse(json) as Entity).attributes)) {
      const kinds = seen.get(name) ?? new Set()
      seen.set(name, kinds)
      if (value === null) continue
      const kind = kindOf(value)
      kinds.add(kind)
      if (kind !== 'json') continue
      const types = referred.get(name) ?? new Set()
      referred.set(name, types)
      if (!types.has(undefined)) for (const one of [value].flat()) types.add(referredType(one))
      if (seen.size > MAX_COLUMNS) throw new TooManyColumns(type)
    }
  }
  if (seen.size > MAX_COLUMNS) throw new TooManyColumns(type)
  const taken = new Set<string>(FIRST_COLUMNS)
  return [...seen].map(([attribute, kinds]) => {
    let name = attribute
    while (taken.has(name)) name = `attributes.${name}`
    taken.add(name)
    const property = properties[attribute]
    const kind = commonKind(kinds, declaredKind(property))
    const types = referred.get(attribute)
    const areReferences = types !== undefined && types.size > 0 && !types.has(undefined) && kinds.size === 1
    const idsOf = namedType(property)
    return {
      attribute,
      name,
      kind,
      isDate: isObject(property) && property['format'] === 'date',
      isReference: areReferences && types.size === 1,
      hasTitles: areReferences || idsOf !== undefined,
      idsOf,
    }
  })
}

/** Error for a type with more attributes than a table may have columns. */
export class TooManyColumns extends RangeError {
  override readonly name = 'TooManyColumns'

  constructor(type: string | undefined) {
    super(`${type} has more than ${MAX_COLUMNS} attributes, too many for a table. Use NDJSON.`)
  }
}

/** Error for a table that a format cannot hold, in its number of cells or the length of a text. */
export class TableTooLarge extends RangeError {
  override readonly name = 'TableTooLarge'
}

/** Returns the type of the entity that a value refers to, or undefined if it is no reference. */
function referredType(value: JsonValue): string | undefined {
  const { type, id, ...others } = isObject(value) ? value : {}
  const isReference = typeof type === 'string' && typeof id === 'string' && Object.keys(others).length === 0
  return isReference && typeFault(type) === undefined ? type : undefined
}

/** Returns the type whose ids a property holds, as its schema says. */
function namedType(property: JsonValue | undefined): string | undefined {
  const { 'x-references': type, items } = isObject(property) ? property : {}
  if (typeof type === 'string') return type
  return isObject(items) ? namedType(items) : undefined
}

/** Separator of several ids, or titles, in a cell. */
export const SEPARATOR = ';'

/** Returns the ids of a cell of references as one text, or undefined if an id contains the separator of several. */
export function idsOf(value: JsonValue): string | undefined {
  const ids = ([value].flat() as JsonObject[]).map(({ id }) => String(id))
  return ids.some((id) => id.includes(SEPARATOR)) ? undefined : ids.join(SEPARATOR)
}

function kindOf(value: JsonValue): ColumnKind {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'number') return 'json'
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? 'integer' : 'number'
}

function declaredKind(schema: JsonValue | undefined): ColumnKind | undefined {
  const named = isObject(schema) ? schema['type'] : undefined
  const types = (Array.isArray(named) ? named : [named]).filter((type) => type !== 'null')
  return types.length === 1 ? KINDS[String(types[0])] : undefined
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  array: 'json',
  object: 'json',
}

function commonKind(kinds: ReadonlySet<ColumnKind>, declared: ColumnKind | undefined): ColumnKind {
  if (kinds.size === 0) return declared ?? 'string'
  const [first, ...others] = kinds
  if (others.length === 0 && first !== 'integer') return first as ColumnKind
  const isNumeric = kinds.isSubsetOf(NUMERIC)
  if (!isNumeric) return 'json'
  return declared === 'number' || kinds.has('number') ? 'number' : 'integer'
}

const NUMERIC: ReadonlySet<ColumnKind> = new Set(['integer', 'number'])
