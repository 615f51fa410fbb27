/** Renders the page of an entity. */
import type { Entity, EntityTypeDescription, JsonObject, JsonValue } from '@worldwright/client/protocol'
import type { CallOptions, Source } from '@worldwright/core/store'
import { fieldOf, presentMembers } from '../shown/fields.ts'
import { member } from '../shown/schema.ts'
import { pagePath } from '../views/index.ts'
import { isAttachment, webAddress } from './addresses.ts'
import { type Html, html } from './html.ts'
import { entityData } from './linked-data.ts'
import { type Page, pageImage } from './page-document.ts'
import { nameOf, seenText, typeName } from './seen-text.ts'
import { attributesHtml, keyOf, referenceIn, type Titles } from './values.ts'

/** Data for an entity page besides the entity itself. */
export interface EntityPageContext {
  readonly type: EntityTypeDescription
  readonly origin: string
  /** Absolute URL of the entity as JSON. */
  readonly json: string
  readonly titles: Titles
  /** Section of referrers, or undefined if there are none. */
  readonly referrers: Html | undefined
  /** True if a share image can be drawn of an entity without a picture of its own. */
  readonly hasImages: boolean
  /** True for programs, which get numbers and times as in the JSON. */
  readonly isExact: boolean
}

/** Maximum references of an entity shown by title. Further references are shown by id. */
const MOST_TITLES = 50

/**
 * Returns an entity's page, with its attributes, references as links, and a picture if the world hosts one. The metadata may
 * name a picture on any origin, but the page loads none from other origins, since they would learn who reads it.
 */
export function entityPage(
  entity: Entity,
  { type, origin, json, titles, referrers, hasImages, isExact }: EntityPageContext,
): Page {
  const { id, attributes } = entity
  const title = nameOf(entity)
  const summary = seenText(entity.summary)
  const picture = pictureOf(attributes, type.schema)
  const own = picture !== undefined && isAttachment(picture) ? picture : undefined
  const image = own === undefined ? picture : origin + own
  return {
    title,
    description: summary ?? `${typeName(type)}: ${title}`,
    canonical: origin + pagePath(type.type, id),
    ...pageImage(origin, pagePath(type.type, id), hasImages, image),
    data: entityData(entity, type, { origin, image }),
    links: html`<link rel="alternate" type="application/json" href="${json}">`,
    body: html`<p class="soft"><a href="${pagePath(type.type)}">${typeName(type)}</a></p>
${summary !== undefined && html`<p class="summary" dir="auto">${summary}</p>`}
${own !== undefined && html`<img src="${own}" alt="${title}">`}
${attributesHtml(attributes, type.schema, { titles, isExact })}
${referrers}
<p class="soft">${entity.updatedAt !== undefined && html`Changed <time datetime="${entity.updatedAt}">${entity.updatedAt.slice(0, 10)}</time>. `}<a href="${json}">JSON</a></p>`,
  }
}

/** Returns the titles of the entities that values reference, at most `most` of them, and null for missing entities. */
export async function titlesOf(
  values: JsonValue,
  source: Pick<Source, 'get'>,
  options: CallOptions,
  most = MOST_TITLES,
): Promise<Titles> {
  const references = new Map<string, { readonly type: string; readonly id: string }>()
  const pending: (JsonValue | undefined)[] = [values]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const reference = referenceIn(value)
    if (reference) references.set(keyOf(reference), reference)
    else if (value !== null && typeof value === 'object') pending.push(...Object.values(value).slice(0, 500))
    if (references.size >= most) break
  }
  const found = await Promise.all(
    [...references].map(async ([key, { type, id }]) => {
      try {
        const entity = await source.get(type, id, options)
        return [[key, entity ? nameOf(JSON.parse(entity.json)) : null] as const]
      } catch {
        // A damaged entity has a page, and is shown by its id.
        return []
      }
    }),
  )
  return new Map(found.flat())
}

/** Matches the file extensions of pictures, the same ones as in the explorer. */
const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i

/**
 * Returns the first picture, as an attachment path or a web address. A picture is identified by the schema or the file
 * extension. Only the first element of a list is considered.
 */
export function pictureOf(attributes: JsonObject, schema: JsonObject | undefined): string | undefined {
  const properties = member(schema, 'properties')
  for (const [name, value] of presentMembers(attributes, schema)) {
    const [first] = Array.isArray(value) ? value : [value]
    if (typeof first !== 'string') continue
    const address = isAttachment(first) ? first : webAddress(first)
    if (address === undefined) continue
    const { pathname } = new URL(address, 'https://world.invalid')
    const { format } = fieldOf(name, member(properties, name), schema)
    if (format === 'picture' || PICTURE.test(pathname)) return address
  }
  return undefined
}
