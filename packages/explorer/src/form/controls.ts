/** Chooses the control for a value by its schema. */
import type { JsonObject } from '@worldwright/client'
import { isReference, resolved, textMember, typesOf } from '@worldwright/extensions/shown'

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
  const media = textMember(schema, 'contentMediaType')
  // A text of a media type is long, unless it is the address of a picture.
  const isLong = Number(schema['maxLength']) > 1_000 || (media !== undefined && !media.startsWith('image/'))
  return isLong ? 'lines' : 'text'
}
