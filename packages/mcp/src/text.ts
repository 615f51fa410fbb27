/** Writes values of a world as short text in which nothing can pass for words of this server. */
import { jsonLineOf } from '@worldwright/client/exact'
import type { Entity } from '@worldwright/client/protocol'

/** Matches characters that are invisible or reorder a line, and what could end the data of an answer. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|<(?=\/?data)/gi
const MAX_ELEMENTS = 12
const MAX_NAMES = 30

/** Writes a value as JSON, as it was received, on one line and without invisible characters. */
export function jsonText(value: unknown): string {
  const code = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return jsonLineOf(value).replace(UNSEEN, code)
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
  if (Array.isArray(value)) {
    const more = value.length > MAX_ELEMENTS ? [`… ${value.length - MAX_ELEMENTS} more`] : []
    return `[${[...value.slice(0, MAX_ELEMENTS).map((one) => valueText(one, most)), ...more].join(', ')}]`
  }
  const { type, id, world, ...others } = Object(value)
  if (typeof type === 'string' && typeof id === 'string' && Object.keys(others).length === 0)
    return parts(addressText({ type, id }), world !== undefined && `of ${word(`${world}`)}`)
  const json = jsonText(value)
  return json.length > most ? `${json.slice(0, most - 1)}…` : json
}

/** Writes names with commas, at most thirty of them. */
export function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? [`… ${names.length - MAX_NAMES} more`] : []
  return [...names.slice(0, MAX_NAMES).map((name) => word(name, 80)), ...more].join(', ')
}

/** Joins the parts of a line that are there with spaces. */
export function parts(...all: (string | false | undefined)[]): string {
  return all.filter(Boolean).join(' ')
}

/** Writes a call of a tool, as it can be repeated. */
export function callText(name: string, args: object): string {
  return `${name} ${jsonText(args)}`
}

/** Estimates the o200k tokens of a text, rather too many: words of up to five letters, numbers of three digits, and signs. */
export function tokensIn(text: string): number {
  return text.match(/ (?=\d)|[A-Z]?[a-z]{1,5}|[A-Z]{1,3}|\d{1,3}|[^\sA-Za-z\d"]|\n/g)?.length ?? 0
}
