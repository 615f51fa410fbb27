/** Form field of one member of a value: its label, its control and its constraints, from its schema. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { pointerTo } from '@worldwright/client/protocol'
import {
  fieldOf,
  isNumber,
  isReference,
  member,
  resolved,
  textMember,
  typesOf,
} from '@worldwright/extensions/shown'
import { controlFor } from './controls.ts'

/** Form field of one member of a value. */
export type FormField = Readonly<ReturnType<typeof formField>>

/** Returns the form field of a member. If the member has no schema, its control accepts JSON. */
export function formField(
  name: string,
  schema: unknown,
  root: unknown,
  isRequired: boolean,
  within: readonly string[] = [],
  group = '',
) {
  const own = resolved(schema, root)
  const path = [...within, name]
  const known = fieldOf(name, own, root)
  const numberMember = (name: string) => (isNumber(own[name]) ? Number(own[name]) : undefined)
  const label = textMember(own, 'title') ?? known.label
  return {
    path,
    /** Key of the field's text: the JSON Pointer of the member, without its first slash. */
    key: path.reduce(pointerTo, '').slice(1),
    label: group === '' ? label : `${group}: ${label}`,
    unit: known.unit,
    format: known.format,
    description: known.description,
    schema: own,
    control: controlFor(own, root),
    isInteger: typesOf(own).includes('integer'),
    isRequired,
    isGrouped: known.isGrouped,
    choices: choicesOf(own),
    /** Types of entities that a reference may name. Empty if there is no restriction. */
    types: referredTypes(own, root),
    minimum: numberMember('minimum'),
    maximum: numberMember('maximum'),
    above: numberMember('exclusiveMinimum'),
    below: numberMember('exclusiveMaximum'),
    minLength: numberMember('minLength'),
    maxLength: numberMember('maxLength'),
    /** Regular expression, unless there are words about the text. */
    pattern: (known.description ?? own['title']) === undefined ? textMember(own, 'pattern') : undefined,
    /** Default value from the schema, as text. */
    byDefault: own['default'] === undefined ? undefined : written(own['default']),
  }
}

function choicesOf(schema: JsonObject): readonly JsonValue[] {
  return Array.isArray(schema['enum']) ? schema['enum'].filter((choice) => choice !== null) : []
}

function referredTypes(schema: JsonObject, root: unknown): readonly string[] {
  const one = isReference(schema) ? schema : resolved(schema['items'], root)
  const type = resolved(member(one['properties'], 'type'), root)
  return [type['const'], ...(Array.isArray(type['enum']) ? type['enum'] : [])].filter(
    (name) => typeof name === 'string',
  )
}

/** Writes a value as the text of a control. A number keeps its text. */
export function written(value: JsonValue): string {
  return typeof value === 'string' ? value : isNumber(value) ? String(value) : JSON.stringify(value)
}
