/** Values that distinguish the entities of a type at a glance. People and years precede measures, and ids are omitted. */
import type { JsonValue } from '@worldwright/client'
import {
  type Field,
  isCoordinate,
  isLabelNumber,
  isNumber,
  presentFields,
  timeOf,
} from '@worldwright/extensions/shown'

/** Maximum number of values in a subtitle, and maximum length of a string in UTF-16 code units. */
const MOST = 4
const SHORT = 60
/** Maximum number of strings taken from a list. */
const NAMED = 2

/** Names of members whose values are meant for programs or repeat the title. */
const CODES =
  /(?:^|[a-z_])(?:id|ids|code|iata|icao|isbn\d*|url|uri|slug|sort ?name|timezone|tld|phone|emoji|aliases)$/i
const PEOPLE = /author|artist|creator|director|agency|discoverer|maker|publisher/i

/**
 * Returns the distinguishing values of an entity, best first, each with its field. A list is shortened and joined into one
 * string. Strings that are part of the title are omitted.
 */
export function subtitleOf(
  { title, attributes }: { title?: unknown; attributes?: unknown },
  schema: unknown,
): (readonly [Field, JsonValue])[] {
  const present = presentFields(attributes, schema).filter(
    ([, value]) => typeof title !== 'string' || typeof value !== 'string' || !title.includes(value),
  )
  const names = present.map(([{ name }]) => name)
  return present
    .filter(([field, value]) => isTelling(field, value, names))
    .map(([field, value]) => [rankOf(field, value), [field, shortened(value)]] as const)
    .toSorted(([a], [b]) => a - b)
    .slice(0, MOST)
    .map(([, pair]) => pair)
}

function isTelling(
  { name, format, isYear, idsOf }: Field,
  value: JsonValue,
  names: readonly string[],
): boolean {
  if (isNumber(value)) return isYear || !(isLabelNumber(name) || isCoordinate(name))
  const [text] = Array.isArray(value) ? value : [value]
  if (typeof text !== 'string' || text === '' || text.length > SHORT || CODES.test(name) || idsOf)
    return false
  // Strings of up to three lower-case letters are codes, such as `eng`.
  if (/^[a-z]{1,3}$/.test(text)) return false
  if (/^(?:https?:|\/attachments\/)/.test(text) || /^(?:picture|uri|email|code)/.test(format ?? ''))
    return false
  // If both `authors` and `authorNames` are present, only `authorNames` is readable.
  const stem = name.replace(/s$/, '')
  return !names.some((other) => other !== name && other.startsWith(stem) && /names?$/i.test(other))
}

function rankOf({ name, isYear }: Field, value: JsonValue): number {
  if (PEOPLE.test(name)) return 0
  if (isYear || (typeof value === 'string' && timeOf(value) !== undefined)) return 1
  return isNumber(value) ? 3 : 2
}

function shortened(value: JsonValue): JsonValue {
  if (!Array.isArray(value)) return value
  const texts = value.filter((one) => typeof one === 'string')
  return texts.slice(0, NAMED).join(', ')
}
