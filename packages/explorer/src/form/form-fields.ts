/** Forms generated from a JSON Schema: the fields, the initial values, and the input that results. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { fieldOf } from '../data/fields.ts'
import { isObject, member, resolved, textMember, typesOf } from '../data/schema.ts'
import { jsonFrom } from '../text/attempt.ts'
import { namedField } from '../text/units.ts'

/** Kind of form control for a member. */
export type Control = 'text' | 'number' | 'truth' | 'choice' | 'words' | 'json'

/** Form field of one member of an action's input. */
export type FormField = Readonly<ReturnType<typeof formField>>

/** Text of each control, by member name. If the text is empty, the member is omitted. */
export type FormValues = Readonly<Record<string, string>>

/** Returns the form fields of an `inputSchema`, in schema order. */
export function formFields(schema: unknown): FormField[] {
  const properties = member(schema, 'properties')
  if (!isObject(properties)) return []
  const required = member(schema, 'required')
  return Object.keys(properties).map((name) => {
    const isRequired = Array.isArray(required) && required.includes(name)
    return formField(name, properties[name], schema, isRequired)
  })
}

/** Returns the form field of a member. If the member has no schema, its control accepts JSON. */
export function formField(name: string, schema: unknown, root: unknown, isRequired: boolean) {
  const own = resolved(schema, root)
  return {
    name,
    label: textMember(own, 'title') ?? namedField(name, false).label,
    description: textMember(own, 'description'),
    control: controlFor(own, root),
    isInteger: typesOf(own).includes('integer'),
    isRequired,
    isGrouped: fieldOf(name, own, root).isGrouped,
    choices: choicesOf(own),
    minimum: numberMember(own, 'minimum'),
    maximum: numberMember(own, 'maximum'),
    maxLength: numberMember(own, 'maxLength'),
    /** Default value from the schema, as text. */
    byDefault: own['default'] === undefined ? undefined : written(own['default']),
  }
}

/** Converts an input to the text of each control. */
export function valuesFrom(input: unknown, fields: readonly FormField[]): FormValues {
  const entries = fields.map(({ name, control }): [string, string] => {
    const value = member(input, name)
    if (value === undefined || value === null) return [name, '']
    if (control === 'words' && Array.isArray(value)) return [name, value.map(written).join('\n')]
    return [name, control === 'json' || control === 'choice' ? JSON.stringify(value) : written(value)]
  })
  return Object.fromEntries(entries)
}

/** Converts the text of the controls to an input. `faults` are the names of members that are invalid or missing. */
export function inputFrom(
  values: FormValues,
  fields: readonly FormField[],
): { input: JsonObject; faults: string[] } {
  const given: [string, JsonValue][] = []
  const faults: string[] = []
  for (const field of fields) {
    const text = values[field.name] ?? ''
    if (text.trim() === '') {
      if (field.isRequired) faults.push(field.name)
      continue
    }
    const value = spelt(text, field)
    if (value === undefined) faults.push(field.name)
    else given.push([field.name, value])
  }
  return { input: Object.fromEntries(given), faults }
}

function spelt(text: string, { control, isInteger }: FormField): JsonValue | undefined {
  if (control === 'text') return text
  if (control === 'truth') return text === 'true'
  if (control === 'words')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (control === 'number') {
    const number = Number(text)
    return Number.isFinite(number) && (!isInteger || Number.isInteger(number)) ? number : undefined
  }
  return jsonFrom(text) as JsonValue | undefined
}

function controlFor(schema: JsonObject, root: unknown): Control {
  if (choicesOf(schema).length > 0) return 'choice'
  const types = typesOf(schema)
  if (types.length !== 1) return 'json'
  const [type] = types
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'truth'
  const items = typesOf(resolved(schema['items'], root))
  return type === 'array' && items.length === 1 && items[0] === 'string' ? 'words' : 'json'
}

function choicesOf(schema: JsonObject): readonly JsonValue[] {
  return Array.isArray(schema['enum']) ? schema['enum'].filter((choice) => choice !== null) : []
}

function numberMember(schema: JsonObject, name: string): number | undefined {
  const value = schema[name]
  return typeof value === 'number' ? value : undefined
}

function written(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
