/** Pages that link to other pages: the home page, and the list of entities for each type. */
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { WorldDescription, WorldPage } from '@worldwright/core'
import type { OfferedDownload } from '../downloads/routes.ts'
import { pagePath } from '../views/index.ts'
import type { Featured } from './featured.ts'
import { FEED_PATH, FEED_TYPE } from './feed.ts'
import { type Html, html } from './html.ts'
import { datasetData } from './linked-data.ts'
import { type Look, lookHtml } from './look.ts'
import { type Page, pageImage, worldName } from './page-document.ts'
import { countText, nameOf, seenText, shortText, typeName } from './seen-text.ts'

/** Maximum length of an entity's summary in a list, in characters. The entity's page shows the full summary. */
const SUMMARY_CHARACTERS = 300

/** Returns the home page of the world, which lists its types with their entity counts. */
export function homePage(
  world: WorldDescription,
  {
    types,
    counts,
    origin,
    downloads,
    hasImages,
    featured,
    look,
  }: {
    readonly types: readonly EntityTypeDescription[]
    readonly counts: ReadonlyMap<string, number>
    readonly origin: string
    readonly downloads: readonly OfferedDownload[]
    readonly hasImages: boolean
    readonly featured: readonly Featured[]
    readonly look: Look
  },
): Page {
  const name = worldName(world)
  const url = `${origin}/`
  return {
    title: name,
    description: world.description,
    canonical: url,
    ...pageImage(origin, '/', hasImages, previewOf(look, origin)),
    above: lookHtml(look),
    data: datasetData(world, {
      url,
      name,
      description: world.description,
      downloads: absolute(downloads, origin),
    }),
    links: html`<link rel="alternate" type="${FEED_TYPE}" href="${FEED_PATH}">`,
    body: html`${world.description !== undefined && html`<p class="summary" dir="auto">${world.description}</p>`}
${featuredHtml(featured)}
<ul class="list">${types.map(
      (type) => html`<li dir="auto"><a href="${pagePath(type.type)}">${typeName(type)}</a>
<span>${countText(counts.get(type.type) ?? 0)} · ${seenText(type.description) ?? type.type}</span></li>`,
    )}</ul>
${downloadsHtml(downloads)}`,
  }
}

/**
 * Returns one page of a type's entities. `next` is the path of the next page, absent on the last one; `json` the absolute URL
 * of the same entities as JSON, absent if there is none.
 */
export function typePage(
  world: WorldDescription,
  type: EntityTypeDescription,
  {
    page,
    path,
    json,
    next,
    origin,
    downloads,
    hasImages,
  }: {
    readonly page: WorldPage
    readonly path: string
    readonly json: string | undefined
    readonly next: string | undefined
    readonly origin: string
    readonly downloads: readonly OfferedDownload[]
    readonly hasImages: boolean
  },
): Page {
  const title = typeName(type)
  const description = seenText(type.description)
  const total = countText(page.total)
  const url = origin + path
  const entities = page.entities.map(({ json }): Entity => JSON.parse(json))
  return {
    title,
    description: description ?? `${title} of ${worldName(world)}: ${total}`,
    canonical: url,
    ...pageImage(origin, pagePath(type.type), hasImages),
    data: datasetData(world, {
      url,
      name: title,
      description,
      downloads: absolute(downloads, origin),
    }),
    links: next !== undefined && html`<link rel="next" href="${next}">`,
    body: html`<p class="soft">${total} · ${type.type}${json !== undefined && html` · <a href="${json}">JSON</a>`}</p>
${description !== undefined && html`<p class="summary" dir="auto">${description}</p>`}
${entities.length > 0 && html`<ul class="list">${entities.map((entity) => listed(type.type, entity))}</ul>`}
${page.damaged.length > 0 && html`<p>Left out, since what is stored of them is damaged: ${page.damaged.join(', ')}</p>`}
${next !== undefined && html`<nav aria-label="Pages"><a rel="next" href="${next}">Next</a></nav>`}
${downloadsHtml(downloads)}`,
  }
}

/** Returns the URL of the picture, unless previews do not show its kind. */
function previewOf({ picture }: Look, origin: string): string | undefined {
  return picture && !/svg|avif/.test(picture.mediaType) ? origin + picture.path : undefined
}

function featuredHtml(featured: readonly Featured[]): Html | false {
  if (featured.length === 0) return false
  return html`<h2>Featured</h2>
<ul class="list">${featured.map(
    ({ path, title, description }) => html`<li dir="auto"><a href="${path}">${title}</a>
${description !== undefined && html`<span>${description}</span>`}</li>`,
  )}</ul>
<h2>Data</h2>`
}

function listed(type: string, entity: Entity): Html {
  const summary = seenText(entity.summary)
  return html`<li dir="auto"><a href="${pagePath(type, entity.id)}">${nameOf(entity)}</a>
${summary !== undefined && html`<span>${shortText(summary, SUMMARY_CHARACTERS)}</span>`}</li>`
}

function downloadsHtml(downloads: readonly OfferedDownload[]): Html | false {
  if (downloads.length === 0) return false
  return html`<h2>Take it all</h2>
<nav aria-label="Downloads">${downloads.map(({ path, name }) => html`<a href="${path}">${name}</a>`)}</nav>`
}

function absolute(downloads: readonly OfferedDownload[], origin: string) {
  return downloads.map(({ path, mediaType }) => ({ url: origin + path, mediaType }))
}
