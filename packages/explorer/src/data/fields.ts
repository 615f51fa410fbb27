/** The attributes of a type as the page lays them out: in the schema's order, each with a label and a unit. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { isLabelNumber, namedField } from '../text/units.ts'
import { isObject, member, resolved, textMember, typesOf } from './schema.ts'
import { isNothing } from './values.ts'

/** One attribute as the page shows it. */
export type Field = Readonly<ReturnType<typeof fieldOf>>

/** Returns the field of a member with a schema and, if there is one, a value. */
export function fieldOf(name: string, schema: unknown, root: unknown, value?: JsonValue) {
  const own = resolved(schema, root)
  const isNumber = typeof value === 'number' || typesOf(own).some((type) => /^(?:number|integer)$/.test(type))
  const { label, unit } = namedField(name, isNumber)
  return {
    name,
    label: textMember(own, 'title') ?? label,
    description: textMember(own, 'description'),
    /** A sign, or a key of the page's words for units. Taken from the name only if the values are numbers. */
    unit: textMember(own, 'x-unit') ?? textMember(own, 'unit') ?? unit,
    /** True to show digits in groups of three. */
    isGrouped: !isLabelNumber(name),
    /** The schema's `format`, or the display that the hint `x-display` asks for. */
    format: displayOf(own),
    /** The schema of the value, with its reference resolved. */
    schema: own,
  }
}

/** Returns the fields that a schema of attributes declares, in its order. */
export function declaredFields(schema: unknown): Field[] {
  const properties = member(schema, 'properties')
  if (!isObject(properties)) return []
  return Object.keys(properties).map((name) => fieldOf(name, properties[name], schema))
}

/** Returns the non-empty fields of one entity: those of the schema in its order, then the others in the data's. */
export function presentFields(attributes: unknown, schema: unknown): [Field, JsonValue][] {
  if (!isObject(attributes)) return []
  const properties = member(schema, 'properties')
  const declared = isObject(properties) ? Object.keys(properties) : []
  const names = new Set([...declared, ...Object.keys(attributes)])
  return [...names].flatMap((name): [Field, JsonValue][] => {
    const value = member(attributes, name)
    if (value === undefined || isNothing(value)) return []
    return [[fieldOf(name, member(properties, name), schema, value), value]]
  })
}

const PLAIN = new Set(['string', 'number', 'integer', 'boolean'])
/** Maximum columns of a readable table; the rest is on each entity's page. */
const MAX_COLUMNS = 14

/**
 * Returns the columns of a table of entities: those that the schema declares, else those of the sample; single values
 * before lists and objects, which read badly in a row. The columns in `asked` are always among them.
 */
export function columnsOf(
  schema: unknown,
  sample: readonly unknown[],
  asked: ReadonlySet<string> = new Set(),
): Field[] {
  const declared = declaredFields(schema)
  const fields = declared.length > 0 ? declared : seenFields(sample)
  const rank = ({ schema: own }: Field) =>
    typesOf(own).every((type) => PLAIN.has(type)) || isReference(own) ? 0 : 1
  return fields
    .toSorted((a, b) => rank(a) - rank(b))
    .filter(({ name }, index) => index < MAX_COLUMNS || asked.has(name))
}

function seenFields(sample: readonly unknown[]): Field[] {
  const seen = new Map<string, Field>()
  for (const attributes of sample) {
    for (const [field] of presentFields(attributes, undefined)) {
      if (!seen.has(field.name)) seen.set(field.name, field)
    }
  }
  return [...seen.values()]
}

/** Reports whether a schema describes references to entities: objects with a type and an id. */
function isReference(schema: JsonObject): boolean {
  return (
    member(schema['properties'], 'type') !== undefined && member(schema['properties'], 'id') !== undefined
  )
}

function displayOf(schema: JsonObject): string | undefined {
  const media = textMember(schema, 'contentMediaType')
  if (media?.startsWith('image/')) return 'picture'
  return textMember(schema, 'x-display') ?? textMember(schema, 'format')
}
