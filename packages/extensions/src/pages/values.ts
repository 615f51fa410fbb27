/** Renders attribute values as markup: references and web addresses as links, objects as nested lists. */
import {
  type EntityRef,
  idFault,
  isObject,
  type JsonObject,
  type JsonValue,
  typeFault,
} from '@worldwright/client/protocol'
import { COMPASS, TRUTH, UNITS } from '../shown/english.ts'
import { type Field, fieldOf, fieldsAlong, presentMembers } from '../shown/fields.ts'
import { MOST_MARKDOWN } from '../shown/markdown.ts'
import { numberText, placeText, timeText } from '../shown/numbers.ts'
import { isNumber, member, resolved } from '../shown/schema.ts'
import { gapBefore, namedField, unitText } from '../shown/units.ts'
import { placeIn } from '../shown/values.ts'
import { pagePath } from '../views/index.ts'
import { webAddress } from './addresses.ts'
import { type Html, html } from './html.ts'
import { proseHtml } from './prose.ts'
import { countText, seenText, shortText } from './seen-text.ts'

/** Titles of referenced entities, keyed by `keyOf`; null for a reference to an entity that does not exist. */
export type Titles = ReadonlyMap<string, string | null>

/** Maximum nesting depth. Deeper values are shown as JSON. */
const MAX_DEPTH = 5
/** Maximum members shown per list or object. */
const MAX_MEMBERS = 500
/** Maximum members and list items shown per page, at all depths together: labels and formats take time. */
const MOST_VALUES = 5_000

/** Returns the value as a reference to an entity of this world, or undefined if it is not one. */
export function referenceIn(value: JsonValue | undefined): EntityRef | undefined {
  if (!isObject(value) || value['world'] !== undefined) return undefined
  const { type, id } = value
  if (typeof type !== 'string' || typeof id !== 'string') return undefined
  return typeFault(type) === undefined && idFault(id) === undefined ? { type, id } : undefined
}

/** Returns the key of a reference in `Titles`. */
export function keyOf({ type, id }: EntityRef): string {
  return `${type} ${id}`
}

/** State of a page while its values are rendered. */
interface Shown {
  readonly titles: Titles
  /** Schema of the type, against which `$ref`s are resolved. */
  readonly schema: JsonObject | undefined
  /** True for programs: numbers, truth values and times as in the JSON. Otherwise they are formatted. */
  readonly isExact: boolean
  /** Number of values that may still be shown. */
  room: number
  /** Number of characters of Markdown that may still be formatted. */
  prose: number
}

/** Language of the pages, for numbers and times. */
export const LANGUAGE = 'en-GB'

/** Renders an attribute value. Web addresses and references become links. */
function valueHtml(value: JsonValue, field: Field, shown: Shown, depth: number): Html {
  const reference = referenceIn(value)
  if (reference) {
    const { type, id } = reference
    const title = shown.titles.get(keyOf(reference))
    return title === null ? html`${id}` : html`<a href="${pagePath(type, id)}">${title ?? id}</a>`
  }
  if (typeof value === 'string') return textHtml(value, field, shown)
  if (isNumber(value)) return numberHtml(value, field, shown)
  if (typeof value === 'boolean') return formatted(value, value ? TRUTH.yes : TRUTH.no, shown)
  if (value === null) return html`–`
  // Members beside the coordinates would be lost.
  const place = !shown.isExact && Object.keys(value).length === 2 ? placeIn(value) : undefined
  if (place) return formatted(JSON.stringify(value), placeText(place, LANGUAGE, COMPASS), shown)
  if (depth >= MAX_DEPTH) return html`<code>${JSON.stringify(value)}</code>`
  return Array.isArray(value)
    ? listHtml(value, field, shown, depth + 1)
    : membersHtml(value, field.schema, shown, depth + 1)
}

/** Renders a value as `text`, with the exact value as data if they differ. */
function formatted(value: string | number | boolean, text: string, { isExact }: Shown): Html {
  const exact = String(value)
  return isExact || text === exact ? html`${exact}` : html`<data value="${exact}">${text}</data>`
}

function numberHtml(value: number, field: Field, shown: Shown): Html {
  return html`${formatted(value, numberText(value, LANGUAGE, field.isGrouped), shown)}${unitAfter(field)}`
}

/** Returns the unit of a field as it follows a number, or an empty text if it has none. */
export function unitAfter({ unit }: Field): string {
  return unit === undefined ? '' : gapBefore(unit) + unitText(unit, LANGUAGE, UNITS)
}

function textHtml(text: string, { format }: Field, shown: Shown): Html {
  const { isExact } = shown
  if (format === 'markdown' && !isExact && text.length <= shown.prose) {
    shown.prose -= text.length
    const prose = proseHtml(text)
    if (prose) return prose
  }
  const address = webAddress(text)
  if (address !== undefined) return html`<a href="${address}" rel="nofollow noreferrer">${text}</a>`
  if (format === 'email' && /^[^\s@?]+@[^\s@?]+$/.test(text))
    return html`<a href="mailto:${text}">${text}</a>`
  const time = isExact ? undefined : timeText(text, LANGUAGE)
  return time === undefined ? html`${text}` : html`<time datetime="${text}">${time}</time>`
}

function listHtml(values: readonly JsonValue[], field: Field, shown: Shown, depth: number): Html {
  const inner = { ...field, schema: resolved(field.schema['items'], shown.schema) }
  const taken = take(values.length, shown)
  const items = values.slice(0, taken).map((value) => html`<li>${valueHtml(value, inner, shown, depth)}</li>`)
  return html`<ul>${items}${more(values.length - taken)}</ul>`
}

/** Renders attributes as labels and values, in the order of the schema. Omits those without a value. */
export function attributesHtml(
  attributes: JsonObject,
  schema: JsonObject | undefined,
  options: Pick<Shown, 'titles' | 'isExact'>,
): Html {
  return membersHtml(attributes, schema, { ...options, schema, room: MOST_VALUES, prose: MOST_MARKDOWN }, 0)
}

function membersHtml(members: JsonObject, schema: JsonObject | undefined, shown: Shown, depth: number): Html {
  const present = presentMembers(members, schema)
  const taken = take(present.length, shown)
  const properties = member(schema, 'properties')
  const facts = present.slice(0, taken).map(([name, value]) => {
    const field = fieldOf(name, member(properties, name), shown.schema, value)
    return html`<dt>${labelOf(field)}</dt><dd dir="auto">${valueHtml(value, field, shown, depth)}</dd>`
  })
  return html`<dl>${facts}</dl>${more(present.length - taken, 'p')}`
}

/** Returns the label of a field, derived from its name if it is invisible, or the quoted name if that is invisible too. */
export function labelOf({ label, name }: Pick<Field, 'label' | 'name'>): string {
  return seenText(label) ?? seenText(namedField(name, false).label) ?? JSON.stringify(name)
}

/** Returns the labels along a path of members: the title in the schema for the first, or else the words of its name. */
export function pathLabels(path: readonly string[], schema: JsonObject | undefined): string[] {
  return fieldsAlong(path, schema).map(labelOf)
}

/** Maximum values of a list, and characters of a text, in a cell of a table. */
const CELL_VALUES = 5
const CELL_CHARACTERS = 160

/** Renders a value of an attribute for a cell of a table, truncated. Lists are shown by their first values. */
export function cellHtml(
  value: JsonValue | undefined,
  name: string,
  schema: JsonObject | undefined,
  titles: Titles,
): Html | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) {
    const items = value
      .slice(0, CELL_VALUES)
      .map((one, at) => html`${at > 0 && ', '}${cellHtml(one, name, schema, titles)}`)
    return html`${items}${value.length > CELL_VALUES && ` and ${countText(value.length - CELL_VALUES)} more`}`
  }
  const field = fieldOf(name, member(member(schema, 'properties'), name), schema, value)
  const isLong = typeof value === 'string' && value.length > CELL_CHARACTERS
  const isWhole = !isObject(value) || isNumber(value) || referenceIn(value) || placeIn(value)
  if (isWhole && !isLong)
    return valueHtml(value, field, { titles, schema, isExact: false, room: 0, prose: 0 }, 0)
  return html`${shortText(isLong ? value : JSON.stringify(value), CELL_CHARACTERS)}`
}

/** Returns the number of `count` values that a list or an object may show, and takes them from the room of the page. */
function take(count: number, shown: Shown): number {
  const taken = Math.min(count, MAX_MEMBERS, shown.room)
  shown.room -= taken
  return taken
}

/** Returns a note that `count` members of a list or object are left out, or undefined if there are none. */
function more(count: number, as: 'li' | 'p' = 'li'): Html | undefined {
  if (count === 0) return undefined
  const text = `and ${countText(count)} more: see the JSON`
  return as === 'li' ? html`<li>${text}</li>` : html`<p>${text}</p>`
}
