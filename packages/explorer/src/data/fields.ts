/** The members of a type's attributes as the page lays them out: in the schema's order, each with words and a unit. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { isLabelNumber, namedField } from '../text/units.ts'
import { isObject, member, resolved, textMember, typesOf } from './schema.ts'
import { isNothing } from './values.ts'

/** One member as it is shown. */
export type Field = Readonly<ReturnType<typeof fieldOf>>

/** The field of a member with a schema and, where one is at hand, a value. */
export function fieldOf(name: string, schema: unknown, root: unknown, value?: JsonValue) {
  const own = resolved(schema, root)
  const isNumber = typeof value === 'number' || typesOf(own).some((type) => /^(?:number|integer)$/.test(type))
  const { label, unit } = namedField(name, isNumber)
  return {
    name,
    label: textMember(own, 'title') ?? label,
    description: textMember(own, 'description'),
    /** A sign, or a key of the page's words for units. Only where the values are numbers. */
    unit: textMember(own, 'x-unit') ?? textMember(own, 'unit') ?? unit,
    /** Digits in groups of three. */
    isGrouped: !isLabelNumber(name),
    /** The schema's `format`, or what the hint `x-display` asks for. */
    format: displayOf(own),
    /** The schema of the value, its reference followed. */
    schema: own,
  }
}

/** The fields a schema of attributes declares, in its order. */
export function declaredFields(schema: unknown): Field[] {
  const properties = member(schema, 'properties')
  if (!isObject(properties)) return []
  return Object.keys(properties).map((name) => fieldOf(name, properties[name], schema))
}

/** The fields of one entity whose values say something: those of the schema in its order, then the others in the data's. */
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
/** More columns than this are a wall; the rest stands on each entity's page. */
const MAX_COLUMNS = 14

/**
 * The columns of a table of entities: what the schema declares, else what the entities at hand have; single values
 * before lists and objects, which read badly in a row. Those of `asked` are among them, however many there are.
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

/** Whether a schema describes references to entities: objects of a type and an id. */
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
