/** Writes values of a world as short text in which nothing can pass for words of this server. */
import { jsonLineOf } from '@worldwright/client/exact'
import type { Entity } from '@worldwright/client/protocol'

/** Matches characters that cannot be seen, but for those inside an emoji, and what could end the data of an answer. */
const UNSEEN =
  /(?!(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]|<(?=\/?data)/giu
const MAX_ELEMENTS = 12
const MAX_NAMES = 30
const MAX_DEPTH = 32

/** Escapes line ends, invisible characters and marks of data. */
export function plain(text: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(UNSEEN, (character) => character.split('').map(code).join(''))
}

/** Writes a value as JSON, as it was received, on one line and without invisible characters. */
export function jsonText(value: unknown): string {
  return plain(jsonLineOf(value))
}

/** Writes a number of a world, and a question mark for anything else. */
export function number(value: unknown): string {
  return Number.isFinite(value) ? `${value}` : '?'
}

/** Writes text as a JSON string, shortened to `most` UTF-16 code units. */
export function quoted(text: string, most = Number.POSITIVE_INFINITY): string {
  return jsonText(text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text)
}

/** Writes a name or an id: unquoted if it is a plain word. */
export function word(text: string, most = 200): string {
  return /^[\w.:/@+-]+$/.test(text) && text.length <= most ? text : quoted(text, most)
}

/** Writes the address of an entity: `sol:moon/europa`. */
export function addressText({ type, id }: Pick<Entity, 'type' | 'id'>): string {
  return word(`${type}/${id}`, 1_000)
}

/** Writes any value in short: references as addresses, lists up to 12 elements, texts up to `most` characters. */
export function valueText(value: unknown, most = 160): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return word(value, most)
  if (isDeep(value)) return '…'
  if (Array.isArray(value)) {
    const shown = most < 1_000 ? value.slice(0, MAX_ELEMENTS) : value
    const more = value.length > shown.length ? [`… ${value.length - shown.length} more`] : []
    return `[${[...shown.map((one) => valueText(one, most)), ...more].join(', ')}]`
  }
  const { type, id, world, ...others } = Object(value)
  if (typeof type === 'string' && typeof id === 'string' && Object.keys(others).length === 0)
    return parts(addressText({ type, id }), world !== undefined && `of ${valueText(world)}`)
  const json = jsonText(value)
  return json.length > most ? `${json.slice(0, most - 1)}…` : json
}

function isDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeep(inner, levels - 1))
}

/** Writes names with commas, at most `most` of them. */
export function listed(names: readonly string[], most = MAX_NAMES): string {
  const more = names.length > most ? [`… ${names.length - most} more`] : []
  return [...names.slice(0, most).map((name) => word(name, 80)), ...more].join(', ')
}

/** Joins the parts of a line that are there with spaces. */
export function parts(...all: (string | false | undefined)[]): string {
  return all.filter(Boolean).join(' ')
}

/** Writes a call of a tool, as it can be repeated. */
export function callText(name: string, args: object): string {
  return `${name} ${jsonText(args)}`
}

/**
 * Estimates the o200k tokens of a text, rather too many: words of up to five letters, numbers of three digits, and signs.
 * Long runs of letters are hardly words, and letters of rare scripts are several tokens each.
 */
export function tokensIn(text: string): number {
  const found = text.match(
    / (?=\d)|[a-z]{2}(?=[a-z]{8})|[A-Z]?[a-z]{1,5}|[A-Z]{1,2}|\d{1,3}|[^\sA-Za-z\d"]|\n/g,
  )
  const rare = text.match(/[\u0f00-\u109f\u1200-\u1cff\ua000-\uabff\ud808-\ud83a]/g)
  return (found?.length ?? 0) + 2 * (rare?.length ?? 0)
}
