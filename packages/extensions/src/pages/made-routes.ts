/** Sitemaps and the Atom feed, which help crawlers and feed readers find pages. Both are generated like downloads. */

import type { Origins, Route, RouteParams, World, WorldRequest, WorldResponse } from '@worldwright/core'
import { damagedFault, unavailable, WorldFault } from '@worldwright/core'
import type { DownloadFile, DownloadFiles } from '../downloads/download.ts'
import { rangedResponse } from '../files/byte-range.ts'
import { fileBytes } from '../files/file-bytes.ts'
import type { Story } from '../stories/index.ts'
import { pagePath } from '../views/index.ts'
import { FEED_PATH, FEED_TYPE } from './feed.ts'
import { type Html, html } from './html.ts'
import { type SitemapPart, sitemapParts } from './sitemap-file.ts'
import { storyPath } from './story-page.ts'

/** Path of the sitemap index on the world's origin. */
export const SITEMAP_PATH = '/sitemap.xml'

const XML = 'application/xml'
const HEADERS = { 'content-type': `${XML}; charset=utf-8`, 'cache-control': 'public, max-age=3600' }
/** `Retry-After` for a file that is being generated, in seconds. */
const RETRY_SECONDS = 60

/** Returns the routes of the sitemap index, the numbered sitemaps and the feed. */
export function madeRoutes(
  world: World,
  files: DownloadFiles,
  origins: Pick<Origins, 'origin'>,
  stories: readonly Story[],
): readonly Route[] {
  const made = new MadePages(world, files, origins, stories)
  const route = (path: string, type: string, GET: Route['methods'][string]): Route => ({
    path,
    lane: 'free',
    answers: [type],
    methods: { GET },
  })
  return [
    route(SITEMAP_PATH, XML, (request) => made.list(request)),
    route('/sitemaps/{name}', XML, (request, params) => made.one(request, params)),
    route(FEED_PATH, FEED_TYPE, (request) => made.feed(request)),
  ]
}

class MadePages {
  readonly #world: World
  readonly #files: DownloadFiles
  readonly #origins: Pick<Origins, 'origin'>
  readonly #stories: readonly Story[]
  /** Offset table of the last file that was read. */
  #known: { readonly path: string; readonly parts: readonly SitemapPart[] } | undefined

  constructor(
    world: World,
    files: DownloadFiles,
    origins: Pick<Origins, 'origin'>,
    stories: readonly Story[],
  ) {
    this.#world = world
    this.#files = files
    this.#origins = origins
    this.#stories = stories
  }

  async list(request: WorldRequest): Promise<WorldResponse> {
    const origin = this.#origin(request)
    const { file, parts } = await this.#sitemaps(origin)
    const listed = parts.map(
      ({ changed }, at) =>
        html`<sitemap><loc>${origin}/sitemaps/${at + 1}.xml</loc>${changed !== '' && html`<lastmod>${changed}</lastmod>`}</sitemap>
`,
    )
    return {
      status: 200,
      headers: { ...HEADERS, etag: `W/"${file.digest}"` },
      body: document(html`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${listed}</sitemapindex>
`),
    }
  }

  async one(request: WorldRequest, { name = '' }: RouteParams): Promise<WorldResponse> {
    const number = Number(/^([1-9]\d{0,6})\.xml$/.exec(name)?.[1])
    const { file, parts } = await this.#sitemaps(this.#origin(request))
    const part = parts[number - 1]
    if (part === undefined)
      throw new WorldFault('not_found', `There is no such sitemap; ${SITEMAP_PATH} lists them.`)
    return rangedResponse(request, {
      size: part.end - part.start,
      etag: `"${file.digest}-${number}"`,
      headers: HEADERS,
      bytes: (start, end) => fileBytes(file.path, part.start + start, part.start + end),
    })
  }

  /** Returns the world's origin. Refuses one taken from headers, because a client could cause a file per origin. */
  #origin(request: WorldRequest): string {
    const { url, fromHeaders } = this.#origins.origin(request)
    if (fromHeaders) throw new WorldFault('not_found', 'This needs the publicUrl of its world.')
    return url
  }

  async feed(request: WorldRequest): Promise<WorldResponse> {
    const file = await this.#file('feed', this.#origin(request))
    return rangedResponse(request, {
      size: file.size,
      etag: `"${file.digest}"`,
      headers: { 'content-type': `${FEED_TYPE}; charset=utf-8`, 'cache-control': 'public, max-age=300' },
      bytes: (start, end) => fileBytes(file.path, start, end),
    })
  }

  async #sitemaps(origin: string): Promise<{ file: DownloadFile; parts: readonly SitemapPart[] }> {
    const file = await this.#file('sitemap', origin)
    if (this.#known?.path !== file.path)
      this.#known = { path: file.path, parts: await sitemapParts(file.path, file.size) }
    return { file, parts: this.#known.parts }
  }

  async #file(format: 'sitemap' | 'feed', origin: string): Promise<DownloadFile> {
    const { id, name, license, attribution } = this.#world.description
    const about = {
      world: id,
      origin,
      ...(name !== undefined && { name }),
      ...(license !== undefined && { license }),
      ...(attribution !== undefined && { attribution }),
    }
    const pages = format === 'sitemap' && [
      '/',
      ...this.#stories.map(storyPath),
      ...(await this.#world.types()).map(({ type }) => pagePath(type)),
    ]
    const file = await this.#files.file({ format, about, ...(pages && { pages }) })
    if (typeof file !== 'string') return file
    if (file === 'damaged') throw damagedFault()
    throw unavailable('This is not available now. Try again.', RETRY_SECONDS, { details: { reason: file } })
  }
}

function document(content: Html): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}`
}
