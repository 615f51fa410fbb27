/** Renders attribute values as markup: references and web addresses as links, objects as nested lists. */
import {
  type EntityRef,
  idFault,
  isObject,
  type JsonObject,
  type JsonValue,
  typeFault,
} from '@worldwright/client/protocol'
import { pagePath, webAddress } from './addresses.ts'
import { type Html, html } from './html.ts'
import { countText, seenText } from './seen-text.ts'

/** Titles of referenced entities, keyed by `keyOf`. */
export type Titles = ReadonlyMap<string, string>

/** Maximum nesting depth. Deeper values are shown as JSON. */
const MAX_DEPTH = 5
/** Maximum members shown per list or object. */
const MAX_MEMBERS = 500

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

/** Renders an attribute value. Web addresses and references become links. */
function valueHtml(value: JsonValue, titles: Titles, depth = 0): Html {
  const reference = referenceIn(value)
  if (reference) {
    const { type, id } = reference
    return html`<a href="${pagePath(type, id)}">${titles.get(keyOf(reference)) ?? id}</a>`
  }
  if (typeof value === 'string') return textHtml(value)
  if (value === null || typeof value !== 'object') return html`${String(value)}`
  if (depth >= MAX_DEPTH) return html`<code>${JSON.stringify(value)}</code>`
  return Array.isArray(value) ? listHtml(value, titles, depth + 1) : membersHtml(value, titles, depth + 1)
}

function textHtml(text: string): Html {
  const address = webAddress(text)
  return address === undefined
    ? html`${text}`
    : html`<a href="${address}" rel="nofollow noreferrer">${text}</a>`
}

function listHtml(values: readonly JsonValue[], titles: Titles, depth: number): Html {
  const shown = values.slice(0, MAX_MEMBERS).map((value) => html`<li>${valueHtml(value, titles, depth)}</li>`)
  return html`<ul>${shown}${more(values.length)}</ul>`
}

/** Renders members as names and values, omitting those without a value. */
export function membersHtml(
  members: Readonly<Record<string, JsonValue | undefined>>,
  titles: Titles,
  depth = 0,
  labels: Readonly<Record<string, string>> = {},
): Html {
  const present = Object.entries(members).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ name, value }],
  )
  const shown = present
    .slice(0, MAX_MEMBERS)
    .map(
      ({ name, value }) =>
        html`<dt>${Object.hasOwn(labels, name) ? labels[name] : inWords(name)}</dt><dd dir="auto">${valueHtml(value, titles, depth)}</dd>`,
    )
  return html`<dl>${shown}</dl>${more(present.length, 'p')}`
}

/**
 * Spells out an identifier: `orbitalPeriodDays` becomes `Orbital period days`. Returns other names unchanged, or quoted if
 * they have no visible character.
 */
export function inWords(name: string): string {
  if (seenText(name) === undefined) return JSON.stringify(name)
  if (!/^[a-z][A-Za-z0-9_-]*$/.test(name)) return name
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the display names of the attributes declared in a schema. */
export function labelsOf(schema: JsonObject | undefined): Record<string, string> {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const title = isObject(property) ? property['title'] : undefined
      return typeof title === 'string' && seenText(title) !== undefined ? [[name, title]] : []
    }),
  )
}

/** Returns a note that a list or object was truncated, or undefined if it was not. */
function more(count: number, as: 'li' | 'p' = 'li'): Html | undefined {
  if (count <= MAX_MEMBERS) return undefined
  const text = `and ${countText(count - MAX_MEMBERS)} more: see the JSON`
  return as === 'li' ? html`<li>${text}</li>` : html`<p>${text}</p>`
}
