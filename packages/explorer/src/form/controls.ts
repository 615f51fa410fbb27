/** Chooses the control for a value by its schema, and decides if it can show a given value. */
import type { JsonObject, JsonValue } from '@worldwright/client'
import { isNumber, isReference, resolved, textMember, typesOf } from '@worldwright/extensions/shown/schema'
import { referenceIn } from '@worldwright/extensions/shown/values'

/** Kind of form control for a member. */
export type Control =
  | 'text'
  | 'lines'
  | 'date'
  | 'number'
  | 'truth'
  | 'choice'
  | 'words'
  | 'reference'
  | 'references'
  | 'json'

/** Length from which a text gets a box of several lines. */
const LONG = 120

/** Returns the control for the values of a schema, `json` if no other fits. */
export function controlFor(schema: JsonObject, root: unknown): Control {
  if (Array.isArray(schema['enum']) && schema['enum'].some((choice) => choice !== null)) return 'choice'
  if (isBare(schema)) return 'reference'
  const types = typesOf(schema)
  if (types.length !== 1) return 'json'
  const [type] = types
  if (type === 'string') return textControl(schema)
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'truth'
  if (type !== 'array') return 'json'
  const items = resolved(schema['items'], root)
  if (isBare(items)) return 'references'
  const itemTypes = typesOf(items)
  return itemTypes.length === 1 && itemTypes[0] === 'string' ? 'words' : 'json'
}

/** Reports whether a schema describes references without further members, so that choosing an entity fills them. */
function isBare(schema: JsonObject): boolean {
  const names = Object.keys(isReference(schema) ? Object(schema['properties']) : { none: 0 })
  return names.every((name) => name === 'type' || name === 'id' || name === 'world')
}

function textControl(schema: JsonObject): Control {
  if (schema['format'] === 'date') return 'date'
  const isLong = Number(schema['maxLength']) > 1_000 || textMember(schema, 'contentMediaType') !== undefined
  return isLong ? 'lines' : 'text'
}

/** Returns the control for a value that `control` was chosen for: a longer box, or `json` if the control cannot show it. */
export function suited(
  control: Control,
  value: JsonValue | undefined,
  choices: readonly JsonValue[],
): Control {
  if (value === undefined || value === null) return control
  const isLong = typeof value === 'string' && (value.length > LONG || /[\r\n]/.test(value))
  if (control === 'text' && isLong) return 'lines'
  return shows(control, value, choices)
    ? control
    : typeof value === 'string' && control === 'date'
      ? 'text'
      : 'json'
}

function shows(control: Control, value: JsonValue, choices: readonly JsonValue[]): boolean {
  switch (control) {
    case 'text':
    case 'lines':
      return typeof value === 'string'
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    case 'number':
      return isNumber(value)
    case 'truth':
      return typeof value === 'boolean'
    case 'choice':
      return choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))
    case 'words':
      return Array.isArray(value) && value.every(isLine)
    case 'reference':
      return referenceIn(value) !== undefined
    case 'references':
      return Array.isArray(value) && value.every((one) => referenceIn(one) !== undefined)
    case 'json':
      return true
  }
}

/** Reports whether a value is a text that stays the same as a trimmed line of a box. */
function isLine(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '' && value.trim() === value && !/[\r\n]/.test(value)
}
