/** Which attribute an entity was found by. */
import { hasMark } from '../text/marks.ts'
import { presentFields } from './fields.ts'
import { isObject } from './schema.ts'

/** Levels of an attribute that are looked through for what matched. */
const MOST_LEVELS = 3
/** Members and elements of a value that are looked through. */
const MOST_INNER = 100

/**
 * The first attribute that holds one of the matched words, with the text in it that does: why an entity was found whose title does
 * not say so. Undefined where none does.
 */
export function matchingField(
  attributes: unknown,
  schema: unknown,
  matched: readonly string[],
): { readonly label: string; readonly text: string } | undefined {
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
