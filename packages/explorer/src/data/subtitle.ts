/** What tells entities of one type apart at a glance: people and years before measures, and never ids. */
import type { JsonValue } from '@worldwright/client'
import { timeOf } from '../text/numbers.ts'
import { isCoordinate, isLabelNumber } from '../text/units.ts'
import { type Field, presentFields } from './fields.ts'

/** Values of a subtitle, and characters of a text that is short enough to be one of them. */
const MOST = 4
const SHORT = 60
/** Texts of a list that are named. */
const NAMED = 2

/** Names of members whose texts are for programs, or say again what the title says. */
const CODES =
  /(?:^|[a-z_])(?:id|ids|code|iata|icao|isbn\d*|url|uri|slug|sort ?name|timezone|tld|phone|emoji|aliases)$/i
const PEOPLE = /author|artist|creator|director|agency|discoverer|maker|publisher/i
const YEAR = /year$/i

/**
 * The telling values of an entity, most telling first, each with its field: texts, lists of texts, and numbers. What its title
 * says already is not among them.
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
  // Three small letters are a code, such as `eng`.
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
