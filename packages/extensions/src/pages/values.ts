/** Values of attributes as markup: references and addresses as links, lists and objects inside each other. */
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

/** Titles of entities that values refer to, by `keyOf`. */
export type Titles = ReadonlyMap<string, string>

/** Objects within objects that are laid out; what lies deeper is JSON. */
const MAX_DEPTH = 5
/** Members of one list or object that are shown. */
const MAX_MEMBERS = 500

/** The reference within this world that a value is; undefined for any other. */
export function referenceIn(value: JsonValue | undefined): EntityRef | undefined {
  if (!isObject(value) || value['world'] !== undefined) return undefined
  const { type, id } = value
  if (typeof type !== 'string' || typeof id !== 'string') return undefined
  return typeFault(type) === undefined && idFault(id) === undefined ? { type, id } : undefined
}

/** What a reference's title is found by. */
export function keyOf({ type, id }: EntityRef): string {
  return `${type} ${id}`
}

/** Any value of an attribute, laid out; addresses of the web and references are links. */
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

/** Members as names with their values; those without a value are left out. */
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
 * A name of programs in words, as `orbitalPeriodDays` in `Orbital period days`; any other name as it is, in quotes where nothing
 * of it would be seen.
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

/** What attributes are called for people, where their schema says so. */
export function labelsOf(schema: JsonObject | undefined): Record<string, string> {
  const properties = isObject(schema?.['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const title = isObject(property) ? property['title'] : undefined
      return typeof title === 'string' && seenText(title) !== undefined ? [[name, title]] : []
    }),
  )
}

/** What is cut short says so. */
function more(count: number, as: 'li' | 'p' = 'li'): Html | undefined {
  if (count <= MAX_MEMBERS) return undefined
  const text = `and ${countText(count - MAX_MEMBERS)} more: see the JSON`
  return as === 'li' ? html`<li>${text}</li>` : html`<p>${text}</p>`
}
