/** Renders views: a table of entities or groups, with the metadata of the view. */
import type { Entity, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { isObject } from '@worldwright/client/protocol'
import { IMAGE_HEIGHT, IMAGE_WIDTH, type ViewTable } from '../images/index.ts'
import { propertiesOf } from '../query/known-properties.ts'
import { isNumber, member } from '../shown/schema.ts'
import {
  amountText,
  binText,
  keysOfAsked,
  type Layout,
  pagePath,
  type TitleWords,
  viewPath,
} from '../views/index.ts'
import { FEED_TYPE } from './feed.ts'
import { type Html, html } from './html.ts'
import { type Page, pageImage } from './page-document.ts'
import { countText, nameOf, seenText } from './seen-text.ts'
import { cellHtml, keyOf, pathLabels, referenceIn, type Titles } from './values.ts'
import type { ReadView, ViewAnswer } from './view-answer.ts'

/** Number of columns of a view that names none, and of entities or groups in its description. */
const USUAL_COLUMNS = 6
const DESCRIBED = 3
/** Maximum references of a view shown by title. */
export const MOST_TITLES = 200

/** Layouts that show each entity in a row, as the page does. */
const ROWS: ReadonlySet<Layout | undefined> = new Set([undefined, 'table', 'list', 'gallery'])

/** Returns the names of the columns of a view: the chosen ones, or those of its question and the first of the schema. */
export function viewColumns({ type, view }: ReadView): readonly string[] {
  if (view.columns) return view.columns
  const plain = [...propertiesOf(type).values()].flatMap(({ path, kinds }) =>
    path.length === 1 && typeof path !== 'string' && !kinds.has('place') ? [path[0]] : [],
  )
  const asked = view.asked ? keysOfAsked(view.asked).filter((key) => plain.includes(key)) : []
  return [...new Set([...asked, ...plain])].slice(0, USUAL_COLUMNS)
}

/** Returns the values that the page of a view shows, in which references are to be found. */
export function shownValues(read: ReadView, { entities, groups }: ViewAnswer): JsonValue {
  if (groups) return groups['groups'] ?? []
  const columns = viewColumns(read)
  return entities.map(({ attributes }) => columns.map((name) => member(attributes, name) ?? null))
}

/** Returns the page of an answered view. `links` are further links in its head. */
export function viewPage(
  read: ReadView,
  answer: ViewAnswer,
  {
    origin,
    world,
    titles,
    links,
    hasImages,
  }: { origin: string; world: string; titles: Titles; links: Html | undefined; hasImages: boolean },
): Page {
  const { type, view, title } = read
  const { nextCursor, groups } = answer
  const path = viewPath(type.type, view)
  const canonical = origin + path
  const next = nextCursor && viewPath(type.type, { ...view, cursor: nextCursor, before: undefined })
  const feed = viewPath(type.type, { asked: view.asked })
  const found = foundText(answer)
  return {
    title,
    description: `${title}. ${found} in ${world}${firstNames(answer, titles)}`,
    canonical,
    ...pageImage(origin, path, hasImages),
    ...(groups === undefined && { data: listData(read, answer, origin) }),
    links: html`${isHidden(read, answer) && html`<meta name="robots" content="noindex">`}
<link rel="alternate" type="${FEED_TYPE}" title="${title}" href="${withParameter(feed, 'format=atom')}">
${next !== undefined && html`<link rel="next" href="${next}">`}${links}`,
    body: html`${viewHtml(read, answer, titles)}
${next !== undefined && html`<nav aria-label="Pages"><a rel="next" href="${next}">Next</a></nav>`}`,
  }
}

/** Renders an answered view as a table, below the image at a path if there is one, with everything that is left out. */
export function viewHtml(read: ReadView, answer: ViewAnswer, titles: Titles, image?: string): Html {
  const { type, view, words } = read
  const { entities, damaged, groups, isPartial } = answer
  const isOther = image === undefined && groups === undefined && !ROWS.has(view.view)
  const rows = entities.length > 0 && rowsTable(read, entities, titles)
  const table = groups ? groupsTable(read, groups, titles) : rows
  return html`<p class="soft"><a href="${pagePath(type.type)}">${words.type}</a> · ${foundText(answer)}</p>
${isPartial && html`<p>Finding all of them took too long and was ended: there may be more.</p>`}
${isOther && html`<p>Shown as a table. The explorer draws a ${view.view}.</p>`}
${image === undefined ? table : html`<img src="${image}" alt="${read.title}" width="${IMAGE_WIDTH}" height="${IMAGE_HEIGHT}" loading="lazy"><details><summary>Figures</summary>${table}</details>`}
${damaged.length > 0 && html`<p>Left out, since what is stored of them is damaged: ${damaged.join(', ')}</p>`}`
}

/** Appends a parameter to a URL, with or without other parameters. */
export function withParameter(url: string, parameter: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${parameter}`
}

/**
 * Reports whether search engines should not list a view: a later page, one without entities, one cut short, and one with
 * words of its address that anybody can choose.
 */
function isHidden({ view: { cursor, asked } }: ReadView, { total, isPartial }: ViewAnswer): boolean {
  return (
    cursor !== undefined ||
    total === 0 ||
    isPartial ||
    (asked !== undefined && `${asked.text}${asked.cql}` !== '')
  )
}

/** Returns the number of entities, and of groups, that were found, in words. */
export function foundText({ total, isPartial, groups }: ViewAnswer): string {
  const number = total === 0 && !isPartial ? 'Nothing' : countText(total)
  const found = `${isPartial ? 'At least ' : ''}${number} found`
  return groups ? `${found}, in ${countText(Number(groups['groupsTotal']))} groups` : found
}

function firstNames({ entities, groups }: ViewAnswer, titles: Titles): string {
  const names = groups
    ? rowsIn(groups, 'groups').map(
        ({ key, count }) => `${groupText(key, rowsIn(groups, 'group'), titles)} ${count}`,
      )
    : entities.map(nameOf)
  const more = names.length > DESCRIBED ? ', …' : '.'
  return names.length === 0 ? '.' : `: ${names.slice(0, DESCRIBED).join(', ')}${more}`
}

/** Returns the key of a group in words. `keys` are the properties that form the groups. */
function groupText(key: JsonValue | undefined, keys: readonly JsonObject[], titles: Titles): string {
  return [key]
    .flat()
    .map((value, at) => {
      const reference = referenceIn(value)
      if (reference) return titles.get(keyOf(reference)) ?? reference.id
      return binText(value, keys[at]) ?? (isObject(value) ? JSON.stringify(value) : String(value))
    })
    .join(', ')
}

function rowsTable(read: ReadView, entities: readonly Entity[], titles: Titles): Html {
  const columns = viewColumns(read)
  const { schema } = read.type
  const isAmount = (name: string) => {
    const values = entities.flatMap(({ attributes }) => member(attributes, name) ?? [])
    return values.length > 0 && values.every(isNumber)
  }
  const classes = new Map(columns.map((name) => [name, isAmount(name) && html` class="number"`]))
  return html`<div class="wide"><table><thead><tr><th scope="col">Title</th>${columns.map((name) => html`<th scope="col"${classes.get(name)}>${pathLabels([name], schema)[0]}</th>`)}</tr></thead>
<tbody>${entities.map(
    (
      entity,
    ) => html`<tr><th scope="row" dir="auto"><a href="${pagePath(entity.type, entity.id)}">${nameOf(entity)}</a></th>${columns.map((name) => html`<td dir="auto"${classes.get(name)}>${cellHtml(member(entity.attributes, name), name, schema, titles)}</td>`)}</tr>
`,
  )}</tbody></table></div>`
}

function groupsTable({ words, type }: ReadView, answer: JsonObject, titles: Titles): Html {
  const keys = rowsIn(answer, 'group')
  const measures = rowsIn(answer, 'measures')
  const groups = rowsIn(answer, 'groups')
  const heads = [
    ...keys.map((key) => labelOf(key, words)),
    'Count',
    ...measures.map((one) => measureLabel(one, words)),
  ]
  const ignored = measures.filter((one) => Number(one['ignored']) > 0)
  return html`<div class="wide"><table><thead><tr>${heads.map((head, at) => html`<th scope="col"${at >= keys.length && html` class="number"`}>${head}</th>`)}</tr></thead>
<tbody>${groups.map((group) => {
    const values = [group['key']].flat().map((value, at) => binHtml(value, keys[at], type.schema, titles))
    const numbers = [group['count'], ...[group['measures'] ?? []].flat()]
    return html`<tr>${values.map((value) => html`<th scope="row" dir="auto">${value}</th>`)}${numbers.map((one) => html`<td class="number">${seenText(amountText(one))}</td>`)}</tr>
`
  })}</tbody></table></div>
${answer['moreGroups'] === true && html`<p>These are the first ${countText(groups.length)} groups of ${countText(Number(answer['groupsTotal']))}.</p>`}
${ignored.map((one) => html`<p>${labelOf(one, words)}: ${countText(Number(one['ignored']))} have values of other kinds, which are not counted.</p>`)}`
}

function labelOf({ property }: JsonObject, words: TitleWords): string {
  return words.label(typeof property === 'string' ? property : JSON.stringify(property))
}

function measureLabel(measure: JsonObject, words: TitleWords): string {
  return `${labelOf(measure, words)} (${measure['op']})`
}

function binHtml(
  value: JsonValue | undefined,
  key: JsonObject | undefined,
  schema: JsonObject | undefined,
  titles: Titles,
): Html {
  const text = binText(value, key)
  if (text !== undefined) return html`${text}`
  const property = key?.['property']
  const name = typeof property === 'string' ? property : String([property].flat().at(-1))
  return html`${cellHtml(value, name, schema, titles)}`
}

/** Returns the groups of a view as rows of a share image, with their counts and measures. */
export function groupsForImage({ words }: ReadView, answer: JsonObject, titles: Titles): ViewTable {
  const keys = rowsIn(answer, 'group')
  const measures = rowsIn(answer, 'measures')
  const rows = rowsIn(answer, 'groups').map(({ key, count, measures = [] }) => ({
    label: groupText(key, keys, titles),
    values: [count, ...[measures].flat()].map((value) => ({
      shown: seenText(amountText(value)) ?? '',
      number: typeof value === 'number' ? value : undefined,
    })),
  }))
  const labels = keys.map((key) => labelOf(key, words)).join(', ')
  const columns = ['Count', ...measures.map((one) => measureLabel(one, words))]
  return { label: labels, columns, rows, measure: columns.length - 1 }
}

function listData(
  { type, view, title }: ReadView,
  { entities, total, isPartial }: ViewAnswer,
  origin: string,
): JsonObject {
  const url = origin + viewPath(type.type, view)
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    '@id': url,
    url,
    name: title,
    ...(!isPartial && { numberOfItems: total }),
    itemListElement: entities.map((entity, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: nameOf(entity),
      url: origin + pagePath(entity.type, entity.id),
    })),
  }
}

function rowsIn(object: JsonObject, name: string): JsonObject[] {
  return [object[name] ?? []].flat().filter(isObject)
}
