/** Which attribute an entity was found by. */
import { type Entity, pointerSteps } from '@worldwright/client/protocol'
import { hasMark } from '../text/marks.ts'
import { fieldOf, presentFields } from './fields.ts'
import { isObject, member, valueAt } from './schema.ts'

/** Levels of an attribute that are looked through for what matched. */
const MOST_LEVELS = 3
/** Members and elements of a value that are looked through. */
const MOST_INNER = 100

/** A text in an entity, and what the attribute is called in which it stands. */
export interface TextField {
  readonly label: string
  readonly text: string
}

/** The first attribute that a world names by JSON Pointers into an entity. Undefined if it names none that can be shown. */
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
    if (typeof text === 'string' || typeof text === 'number') return { label, text: String(text) }
  }
  return undefined
}

/**
 * Of a world that does not say where its words stand: the first attribute that holds one of the matched words, with the
 * text in it that does. Undefined if none does.
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
