/** Frame of every page: the head, a link to the home page, and the footer. */
import type { JsonObject } from '@worldwright/client/protocol'
import type { WorldDescription } from '@worldwright/core'
import { licenceUrl } from '../files/licence.ts'
import { IMAGE_HEIGHT, IMAGE_WIDTH } from '../images/index.ts'
import { imagePath } from './addresses.ts'
import { type Content, type Html, html, jsonBlock } from './html.ts'
import { shortText } from './seen-text.ts'

/** Content of a page with its metadata. */
export interface Page {
  /** Display name of an entity, a type or the world. */
  readonly title: string
  readonly description?: string | undefined
  /** Absolute URL of the page. Absent for pages without one, such as error pages. */
  readonly canonical?: string
  /** Absolute URL of a picture. */
  readonly image?: string | undefined
  /** True if the picture is the share image of the page. */
  readonly isDrawn?: boolean
  /** Page content as linked data. */
  readonly data?: JsonObject
  /** Further links in the head. */
  readonly links?: Content
  /** Content above the title. */
  readonly above?: Html
  /** Content below the title. */
  readonly body: Html
}

/** Content security policy of pages. It allows pictures and styles from the same origin, and no scripts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Returns a content security policy that lets pages of these origins, or of any for `*`, frame the page. */
export function framedBy(origins: readonly string[]): string {
  return PAGE_POLICY.replace("frame-ancestors 'none'", `frame-ancestors ${origins.join(' ')}`)
}

/** Maximum length of a description in search results and previews, in characters. */
const DESCRIPTION_CHARACTERS = 300

/** Returns the display name of a world. */
export function worldName({ name, id }: Pick<WorldDescription, 'name' | 'id'>): string {
  return name ?? id
}

/**
 * Returns the whole document. `style` is the path of its style sheet, and `explore` the URL of the same page in the explorer,
 * or undefined if there is none.
 */
export function documentText(
  page: Page,
  world: WorldDescription,
  style: string,
  explore: string | undefined,
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${headOf(page, world)}
<link rel="stylesheet" href="${style}">
</head>
<body>
<header><a href="/">${worldName(world)}</a>${explore !== undefined && html`<a class="explore" href="${explore}">Explore</a>`}</header>
<main>
${page.above}<h1 dir="auto">${page.title}</h1>
${page.body}
</main>
${footerOf(world)}
</body>
</html>
`.text
}

/** Returns the page's metadata for search engines and previews. */
export function headOf(page: Page, world: WorldDescription): Html {
  const { title, canonical, image, isDrawn = false, data, links } = page
  const name = worldName(world)
  const whole = title === name ? title : `${title} – ${name}`
  const description = page.description && shortText(page.description, DESCRIPTION_CHARACTERS)
  const license = licenceUrl(world.license)
  return html`<title>${whole}</title>
${description !== undefined && html`<meta name="description" content="${description}">`}
${canonical !== undefined && html`<link rel="canonical" href="${canonical}"><meta property="og:url" content="${canonical}">`}
<meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:site_name" content="${name}">
${description !== undefined && html`<meta property="og:description" content="${description}">`}
${image !== undefined && html`<meta property="og:image" content="${image}"><meta property="og:image:alt" content="${title}">${isDrawn && IMAGE_SIZE}<meta name="twitter:card" content="summary_large_image">`}
${license !== undefined && html`<link rel="license" href="${license}">`}
${links}
${data && jsonBlock(data)}`
}

const IMAGE_SIZE = html`<meta property="og:image:width" content="${IMAGE_WIDTH}"><meta property="og:image:height" content="${IMAGE_HEIGHT}"><meta property="og:image:type" content="image/png">`

/** Matches pictures that previews do not show. */
const UNSHOWN = /\.(?:avif|svg)$/i

/** Returns the picture of a page for previews: `own`, unless previews do not show its kind, else the share image, if any. */
export function pageImage(
  origin: string,
  path: string,
  hasImages: boolean,
  own?: string,
): Pick<Page, 'image' | 'isDrawn'> {
  const isShown = own !== undefined && !UNSHOWN.test(new URL(own).pathname)
  if (isShown || !hasImages) return { image: own }
  return { image: origin + imagePath(path), isDrawn: true }
}

/** Returns the footer, with licence, attribution and a link to the discovery document. */
export function footerOf({ license, attribution }: WorldDescription): Html {
  const url = licenceUrl(license)
  const named = license?.replace(/^https?:\/\//, '')
  return html`<footer>
${attribution !== undefined && html`<p dir="auto">${attribution}</p>`}
${named !== undefined && html`<p>Licence: ${url === undefined ? named : html`<a rel="license" href="${url}">${named}</a>`}</p>`}
<p>For programs: <a href="/.well-known/world.json">discovery</a></p>
</footer>`
}
