/** Finds the attribute that matched a search. */
import { type Entity, pointerSteps } from '@worldwright/client/protocol'
import { fieldOf, isNumber, isObject, member, presentFields, valueAt } from '@worldwright/extensions/shown'
import { hasMark } from '../text/marks.ts'

/** Maximum depth to which the value of an attribute is searched. */
const MOST_LEVELS = 3
/** Maximum number of members or elements searched in an object or a list. */
const MOST_INNER = 100

/** Text found in an entity, and the label of the attribute that contains it. */
export interface TextField {
  readonly label: string
  readonly text: string
}

/** Returns the first displayable attribute that a JSON Pointer in `pointers` refers to, or undefined if there is none. */
export function textField(
  entity: Entity,
  schema: unknown,
  pointers: readonly unknown[],
): TextField | undefined {
  for (const pointer of pointers) {
    const [root, name, ...inner] = typeof pointer === 'string' ? pointerSteps(pointer) : []
    if (root !== 'attributes' || name === undefined) continue
    const text = valueAt(entity.attributes, [name, ...inner])
    const { label } = fieldOf(name, member(member(schema, 'properties'), name), schema)
    if (typeof text === 'string' || isNumber(text)) return { label, text: String(text) }
  }
  return undefined
}

/**
 * Returns the label of the first attribute that contains a matched word, and the text with that word, or undefined if there
 * is none. Used for worlds that do not report the matched fields.
 */
export function matchingField(
  attributes: unknown,
  schema: unknown,
  matched: readonly string[],
): TextField | undefined {
  for (const [{ label }, value] of presentFields(attributes, schema)) {
    const text = matchingText(value, matched, 1)
    if (text !== undefined) return { label, text }
  }
  return undefined
}

function matchingText(value: unknown, matched: readonly string[], level: number): string | undefined {
  if (matched.length === 0 || level > MOST_LEVELS) return undefined
  if (typeof value === 'string') return hasMark(value, matched) ? value : undefined
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  for (const item of inner.slice(0, MOST_INNER)) {
    const found = matchingText(item, matched, level + 1)
    if (found !== undefined) return found
  }
  return undefined
}
