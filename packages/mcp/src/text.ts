/** Writes values of a world as short text in which nothing can pass for words of this server. */
import { jsonLineOf } from '@worldwright/client/exact'
import type { Entity, JsonValue } from '@worldwright/client/protocol'

/** Matches characters that are invisible or change the order of a line, and what could end the data of an answer. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|<(?=\/?data)/gi
const WORD = /^[\w.:/@+-]+$/
/** Maximum number of elements of a list that are written. */
const MAX_ELEMENTS = 12

/** Writes text as a JSON string without invisible characters, shortened to `most` UTF-16 code units. */
export function quoted(text: string, most = Number.POSITIVE_INFINITY): string {
  const short = text.length > most ? `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
  return escaped(JSON.stringify(short))
}

/** Writes a name or an id: unquoted if it is a plain word. */
export function word(text: string, most?: number): string {
  return WORD.test(text) && text.length <= (most ?? text.length) ? text : quoted(text, most)
}

/** Writes the address of an entity: `sol:moon/europa`. */
export function addressText({ type, id }: Pick<Entity, 'type' | 'id'>): string {
  return word(`${type}/${id}`)
}

/** Writes a value in short: references as addresses, lists up to 12 elements, texts up to `most` characters. */
export function valueText(value: JsonValue | undefined, most = 160): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return word(value, most)
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ELEMENTS).map((one) => valueText(one, most))
    const more = value.length - shown.length
    return `[${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`
  }
  const { type, id, world, ...others } = Object(value)
  if (typeof type === 'string' && typeof id === 'string' && Object.keys(others).length === 0)
    return world === undefined
      ? addressText({ type, id })
      : `${addressText({ type, id })} of ${word(`${world}`)}`
  const json = escaped(jsonLineOf(value))
  return json.length > most ? `${json.slice(0, most - 1)}…` : json
}

/** Writes an entity as JSON, as it was received, with invisible characters escaped. */
export function entityJson(entity: object): string {
  return escaped(jsonLineOf(entity))
}

/** Writes a call of a tool, as it can be repeated. */
export function callText(name: string, args: object): string {
  return `${name} ${escaped(JSON.stringify(args))}`
}

/** Estimates the o200k tokens of a text, rather too many: words of up to five letters, numbers of three digits, and signs. */
export function tokensIn(text: string): number {
  return text.match(/ (?=\d)|[A-Z]?[a-z]{1,5}|[A-Z]{1,3}|\d{1,3}|[^\sA-Za-z\d"]|\n/g)?.length ?? 0
}

function escaped(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
