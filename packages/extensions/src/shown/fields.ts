/** Attributes of a type for display. They are in schema order, each with a label and a unit. */
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { isNumber, isObject, isReference, member, resolved, textMember, typesOf } from './schema.ts'
import { isLabelNumber, isYearName, namedField } from './units.ts'
import { isNothing } from './values.ts'

/** An attribute as the page displays it. */
export type Field = Readonly<ReturnType<typeof fieldOf>>

/** Returns the field of the member `name`, given its schema and, optionally, its value. */
export function fieldOf(name: string, schema: unknown, root: unknown, value?: JsonValue) {
  const own = resolved(schema, root)
  const isNumeric = isNumber(value) || typesOf(own).some((type) => /^(?:number|integer)$/.test(type))
  const { label, unit } = namedField(name, isNumeric)
  const isYear = isYearOf(name, own, value)
  return {
    name,
    label: textMember(own, 'title') ?? label,
    description: textMember(own, 'description'),
    /** A symbol, or a key into the page's unit names. Inferred from the member name only if the values are numbers. */
    unit: isYear ? undefined : (textMember(own, 'x-unit') ?? textMember(own, 'unit') ?? unit),
    /** True if digits are shown in groups of three. */
    isGrouped: !isYear && !isLabelNumber(name),
    isYear,
    /** `picture` or `markdown` for such a media type, or else the `x-display` hint, or else the schema's `format`. */
    format: displayOf(own),
    /** Type of the entities whose ids the texts are, as declared by `x-references`. */
    idsOf: textMember(own, 'x-references') ?? textMember(member(own, 'items'), 'x-references'),
    /** Schema of the value, with `$ref` resolved. */
    schema: own,
  }
}

/** Returns the fields along a path of members: by the schema for the first, and by the words of its name for each other. */
export function fieldsAlong([first, ...others]: readonly string[], schema: unknown) {
  if (first === undefined) return []
  const named = others.map((name) => ({ name, label: namedField(name, false).label }))
  return [fieldOf(first, member(member(schema, 'properties'), first), schema), ...named]
}

/** First and last year that is taken for one: beyond them, a number is more likely an amount. */
const YEARS = [-3_000, 3_000] as const

/**
 * Decides whether a property holds years, which are never written with digit groups: by a hint of the schema, or else by its
 * name or title, unless its bounds or the given value are no years.
 */
function isYearOf(name: string, own: JsonObject, value?: JsonValue): boolean {
  if ([displayOf(own), own['unit'], own['x-unit']].includes('year')) return true
  const isOne = (one: unknown, isWhole = true) =>
    !isNumber(one) || (one >= YEARS[0] && one <= YEARS[1] && (!isWhole || Number.isInteger(Number(one))))
  const isNamed = isYearName(name) || isYearName(textMember(own, 'title') ?? '')
  return isNamed && isOne(value) && isOne(own['minimum'], false) && isOne(own['maximum'], false)
}

/** Returns the fields that an attribute schema declares, in schema order. */
export function declaredFields(schema: unknown): Field[] {
  const properties = member(schema, 'properties')
  if (!isObject(properties)) return []
  return Object.keys(properties).map((name) => fieldOf(name, properties[name], schema))
}

/** Returns the non-empty fields of an entity: first those in the schema, in schema order, then the rest in data order. */
export function presentFields(attributes: unknown, schema: unknown): [Field, JsonValue][] {
  const properties = member(schema, 'properties')
  return presentMembers(attributes, schema).map(([name, value]) => [
    fieldOf(name, member(properties, name), schema, value),
    value,
  ])
}

/** Returns the non-empty members of an entity in the order of `presentFields`. */
export function presentMembers(attributes: unknown, schema: unknown): [string, JsonValue][] {
  if (!isObject(attributes)) return []
  const properties = member(schema, 'properties')
  const declared = isObject(properties) ? Object.keys(properties) : []
  const names = new Set([...declared, ...Object.keys(attributes)])
  return [...names].flatMap((name): [string, JsonValue][] => {
    const value = member(attributes, name)
    return value === undefined || isNothing(value) ? [] : [[name, value]]
  })
}

/** Names of attributes that contain alternative names of the entity. */
export const NAMES = /^(?:aliases|also_?known_?as|(?:other|alternative|alternate)_?names?)$/i

const PLAIN = new Set(['string', 'number', 'integer', 'boolean'])
/** Maximum number of columns in a table. The entity's page shows the remaining attributes. */
const MAX_COLUMNS = 14

/**
 * Returns the columns of an entity table: those that the schema declares, or those found in the sample if it declares none.
 * Single values and lists of texts, such as authors, precede other names, other lists and objects, which are hard to read in
 * a row. Columns in `asked` are always included.
 */
export function columnsOf(
  schema: unknown,
  sample: readonly unknown[],
  asked: ReadonlySet<string> = new Set(),
): Field[] {
  const declared = declaredFields(schema)
  const fields = declared.length > 0 ? declared : seenFields(sample)
  const isTexts = ({ name, schema: own }: Field) =>
    member(own['items'], 'type') === 'string' && !NAMES.test(name)
  const rank = (field: Field) =>
    typesOf(field.schema).every((type) => PLAIN.has(type)) || isReference(field.schema) || isTexts(field)
      ? 0
      : 1
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

function displayOf(schema: JsonObject): string | undefined {
  const media = textMember(schema, 'contentMediaType')
  if (media === 'text/markdown') return 'markdown'
  if (media?.startsWith('image/')) return 'picture'
  return textMember(schema, 'x-display') ?? textMember(schema, 'format')
}
