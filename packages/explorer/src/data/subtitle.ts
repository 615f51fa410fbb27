/** Values that distinguish entities of one type at a glance: people and years before measures, and never ids. */
import type { JsonValue } from '@worldwright/client'
import { timeOf } from '../text/numbers.ts'
import { isCoordinate, isLabelNumber } from '../text/units.ts'
import { type Field, presentFields } from './fields.ts'

/** Maximum values of a subtitle, and maximum characters of a text among them. */
const MOST = 4
const SHORT = 60
/** Maximum texts named of a list. */
const NAMED = 2

/** Names of members whose texts are for programs, or repeat the title. */
const CODES =
  /(?:^|[a-z_])(?:id|ids|code|iata|icao|isbn\d*|url|uri|slug|sort ?name|timezone|tld|phone|emoji|aliases)$/i
const PEOPLE = /author|artist|creator|director|agency|discoverer|maker|publisher/i
const YEAR = /year$/i

/**
 * Returns the distinguishing values of an entity, best first, each with its field: texts, lists of texts, and numbers. Values
 * that the title already contains are left out.
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

function isTelling({ name, format }: Field, value: JsonValue, names: readonly string[]): boolean {
  if (typeof value === 'number') return YEAR.test(name) || !(isLabelNumber(name) || isCoordinate(name))
  const [text] = Array.isArray(value) ? value : [value]
  if (typeof text !== 'string' || text === '' || text.length > SHORT || CODES.test(name)) return false
  // Up to three small letters are a code, such as `eng`.
  if (/^[a-z]{1,3}$/.test(text)) return false
  if (/^(?:https?:|\/attachments\/)/.test(text) || /^(?:picture|uri|email|code)/.test(format ?? ''))
    return false
  // Of `authors` and `authorNames` the second is for people.
  const stem = name.replace(/s$/, '')
  return !names.some((other) => other !== name && other.startsWith(stem) && /names?$/i.test(other))
}

function rankOf({ name }: Field, value: JsonValue): number {
  if (PEOPLE.test(name)) return 0
  if (YEAR.test(name) || (typeof value === 'string' && timeOf(value) !== undefined)) return 1
  return typeof value === 'number' ? 3 : 2
}

function shortened(value: JsonValue): JsonValue {
  return Array.isArray(value)
    ? value
        .filter((one) => typeof one === 'string')
        .slice(0, NAMED)
        .join(', ')
    : value
}
