/** Forms generated from a JSON Schema: the fields, the initial texts, and the value that results. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { jsonOf, parseExact } from '@worldwright/client/exact'
import { isNumber, isObject, member, referenceIn, resolved, valueAt } from '@worldwright/extensions/shown'
import { attempt } from '../text/attempt.ts'
import type { Control } from './controls.ts'
import { type Fault, faultOf } from './faults.ts'
import { type FormField, formField, written } from './form-field.ts'

/** Text of each control, by the key of its field. If the text is empty, the member is omitted. */
export type FormValues = Readonly<Record<string, string>>

/** The first fault of each field, by its key. */
export type FormFaults = Readonly<Record<string, Fault>>

/** Maximum depth to which the members of an object get fields of their own. Deeper ones are written as JSON. */
const MOST_LEVELS = 3

/** Maximum number of fields of an object. An object with more members is written as JSON. */
const MOST_FIELDS = 200

/** Text for which a box has several lines. */
const LONG = /[\r\n]|.{121}/
/** Matches the form of a date, which a control for dates can show. */
export const DATE = /^\d{4}-\d\d-\d\d$/

/** Place of an object within the value of a form. */
interface Within {
  readonly path: readonly string[]
  readonly label: string
  /** False if the object may be missing, so that its members may be, too. */
  readonly isRequired: boolean
  /** Schema document in which references are resolved. */
  readonly root: unknown
}

/**
 * Returns the form fields of an object, in schema order: one for each member, and for the members of members. If `value` is
 * given, it may have members without a schema, which come last, and a member that its control could not show is JSON.
 */
export function formFields(schema: unknown, value?: unknown, within?: Partial<Within>): FormField[] {
  const { path = [], label = '', isRequired: isWithin = true, root = schema } = within ?? {}
  const own = resolved(schema, root)
  const declared = isObject(own['properties']) ? own['properties'] : {}
  const required = Array.isArray(own['required']) ? own['required'] : []
  const names = [...new Set([...Object.keys(declared), ...(isObject(value) ? Object.keys(value) : [])])]
  if (names.length > MOST_FIELDS) return []
  return names.flatMap((name) => {
    const isRequired = isWithin && required.includes(name)
    const field = formField(name, member(declared, name), root, isRequired, path, label)
    const inner = member(value, name)
    const isOpen = field.control === 'json' && path.length < MOST_LEVELS
    const isGroup = isOpen && (inner === undefined || isObject(inner))
    const at = { path: field.path, label: field.label, isRequired, root }
    const members = isGroup && isObject(field.schema['properties']) ? formFields(field.schema, inner, at) : []
    if (members.length > 0) return members
    return [{ ...field, control: suited(field, inner) }]
  })
}

/** Returns the control of a field for a value: a longer box, or `json` if its own control would show another value. */
function suited(field: FormField, value: JsonValue | undefined): Control {
  const { control, choices } = field
  if (value === undefined || value === null || control === 'json') return control
  if (typeof value === 'string' && control === 'text') return LONG.test(value) ? 'lines' : 'text'
  if (typeof value === 'string' && control === 'date') return DATE.test(value) ? 'date' : 'text'
  const text = textFor(value, field)
  const json = JSON.stringify(value)
  const isSame = JSON.stringify(spelt(text, field)) === json && !(control === 'words' && text.includes('\r'))
  const isReferring = control === (Array.isArray(value) ? 'references' : 'reference')
  const isChosen = control === 'choice' && choices.some((choice) => JSON.stringify(choice) === json)
  const isKnown = isReferring
    ? [value].flat().every((one) => referenceIn(one) !== undefined)
    : isChosen || !/choice|reference/.test(control)
  return isSame && isKnown ? control : 'json'
}

/** Converts a value to the text of each control. */
export function valuesFrom(value: unknown, fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map((field) => [field.key, textFor(valueAt(value, field.path), field)]))
}

function textFor(value: JsonValue | undefined, { control }: FormField): string {
  if (value === undefined || value === null) return ''
  if (control === 'words' && Array.isArray(value)) return value.map(written).join('\n')
  if (control === 'reference') return JSON.stringify([value])
  if (control === 'references') return JSON.stringify(value)
  if (control === 'json') return isNumber(value) ? String(value) : jsonOf(value, 2)
  return control === 'choice' ? JSON.stringify(value) : written(value)
}

/**
 * Writes the text of the controls into `base`. A text that equals the one in `start` leaves its member as it is, so that
 * nothing is lost of a value that the user has not edited.
 */
export function inputFrom(
  values: FormValues,
  fields: readonly FormField[],
  start: FormValues = {},
  base: JsonObject = {},
): { input: JsonObject; faults: FormFaults } {
  let input = base
  const faults: Record<string, Fault> = {}
  for (const field of fields) {
    const text = values[field.key] ?? ''
    const isKept = text === (start[field.key] ?? '')
    if (isKept && !(field.isRequired && valueAt(base, field.path) === undefined)) continue
    const value = text.trim() === '' ? undefined : spelt(text, field)
    const fault = faultOf(text, value, field)
    if (fault !== undefined) faults[field.key] = fault
    else input = withMember(input, field.path, value)
  }
  return { input, faults }
}

/** Returns a copy of an object with the member at a path set, or removed if `value` is undefined. */
export function withMember(
  object: JsonObject,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const [name = '', ...rest] = path
  const inner = member(object, name)
  if (rest.length > 0 && value === undefined && !isObject(inner)) return object
  const set = rest.length > 0 ? withMember(isObject(inner) ? inner : {}, rest, value) : value
  const entries = new Map(Object.entries(object))
  if (set === undefined) entries.delete(name)
  else entries.set(name, set)
  return Object.fromEntries(entries)
}

/** Returns the value that the text of a control spells, or undefined if it spells none. Numbers keep their text. */
function spelt(text: string, { control }: FormField): JsonValue | undefined {
  if (control === 'text' || control === 'lines' || control === 'date') return text
  if (control === 'truth') return text === 'true'
  if (control === 'words')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const [first = '', typed = ''] = text.split('\n')
  const isChosen = control === 'reference' || control === 'references'
  if (isChosen && typed !== '') return undefined
  // Also accepts spellings that JSON does not have, such as +5 and .5.
  const number = text
    .trim()
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
  const json = isChosen ? first : control === 'number' ? number : text
  const value = attempt(() => parseExact(json)) as JsonValue | undefined
  if (control === 'reference') return Array.isArray(value) ? value[0] : undefined
  return control !== 'number' || isNumber(value) ? value : undefined
}
