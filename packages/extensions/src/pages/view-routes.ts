/** Routes of views: their pages, their feeds, and their descriptions for programs that embed them (oEmbed 1.0). */
import {
  type Mount,
  type Route,
  type RouteParams,
  splitTarget,
  unavailable,
  type World,
  WorldFault,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import type { ImageMaker } from '../images/index.ts'
import { NOTHING_ASKED, titleOfView, VIEW_PATH, viewPath } from '../views/index.ts'
import { titlesOf } from './entity-page.ts'
import { FEED_TYPE, feedText } from './feed.ts'
import { type Html, html } from './html.ts'
import { isClientError } from './markdown-path.ts'
import { HTML_TYPE, type PageAnswers } from './page-answers.ts'
import { documentText, framedBy, worldName } from './page-document.ts'
import { type Shell, shellText } from './shell.ts'
import { answerView, type ReadView, readView } from './view-answer.ts'
import { shownValues, viewPage, withParameter } from './view-page.ts'

/** Path of the descriptions of views for programs that embed them. */
const OEMBED_PATH = '/oembed'
const OEMBED_TYPE = 'application/json+oembed'
/** Maximum size of an embedded view, which is also the usual one, in pixels. */
const WIDTH = 800
const HEIGHT = 480
/** Maximum references of a page shown by title. */
const MOST_TITLES = 200
/** `Retry-After` for a feed that took too long, in seconds. */
const RETRY_SECONDS = 60

/** Options for views. See `PagesOptions`. */
export interface ViewOptions {
  readonly shell?: Shell | undefined
  readonly embed?: readonly string[] | undefined
  readonly images: ImageMaker | false
}

/** Returns the routes of views. @throws TypeError if an origin of `embed` is invalid */
export function viewRoutes(
  world: World,
  mount: Mount,
  options: ViewOptions,
  answers: PageAnswers,
): readonly Route[] {
  const { embed = [] } = options
  for (const one of embed) {
    if (one !== '*' && !(URL.canParse(one) && /^https?:/.test(one) && new URL(one).origin === one))
      throw new TypeError(`embed has origins such as https://site.example, or *; this is ${one}`)
  }
  const views = new Views(world, mount, options, answers)
  const page: Route = {
    path: `${VIEW_PATH}{type}`,
    answers: [HTML_TYPE, FEED_TYPE],
    lane: 'search',
    methods: { GET: (request, params) => views.page(request, params) },
  }
  const described: Route = {
    path: OEMBED_PATH,
    answers: [OEMBED_TYPE],
    methods: { GET: (request) => views.described(request) },
  }
  return embed.length > 0 ? [page, described] : [page]
}

class Views {
  readonly #world: World
  readonly #mount: Mount
  readonly #options: ViewOptions
  readonly #answers: PageAnswers

  constructor(world: World, mount: Mount, options: ViewOptions, answers: PageAnswers) {
    this.#world = world
    this.#mount = mount
    this.#options = options
    this.#answers = answers
  }

  page(request: WorldRequest, { type = '' }: RouteParams): Promise<WorldResponse> {
    return this.#answers.orFault(async () => {
      const query = new URLSearchParams(splitTarget(request.target).query)
      const format = taken(query, 'format')
      const embed = taken(query, 'embed')
      if (embed !== undefined && embed !== '1') query.append('embed', embed)
      if (format !== undefined && format !== 'atom') query.append('format', format)
      const read = await this.#read(type, query, request.signal)
      return format === 'atom' ? this.#feed(request, read) : this.#view(request, read, embed === '1')
    })
  }

  #read(type: string, query: URLSearchParams, signal: AbortSignal | undefined): Promise<ReadView> {
    return readView(type, query, { world: this.#world, source: this.#mount.source }, signal)
  }

  async #view(request: WorldRequest, read: ReadView, isFramed: boolean): Promise<WorldResponse> {
    const { signal } = request
    const { shell, embed = [], images } = this.#options
    const { description } = this.#world
    const answer = await answerView(read, this.#world, request)
    const titles = await titlesOf(shownValues(read, answer), this.#mount.source, { signal }, MOST_TITLES)
    const { url: origin } = this.#mount.origin(request)
    const links = html`${embed.length > 0 && oembedLink(origin, read)}${isFramed && html`<base target="_blank">`}`
    const page = viewPage(read, answer, {
      origin,
      world: worldName(description),
      titles,
      links,
      hasImages: images !== false,
    })
    const hasShell = shell !== undefined && !isFramed
    // The page of the explorer refers to its files relative to the root.
    const body = hasShell
      ? shellText(
          { ...shell, text: shell.text.replaceAll('"./_explorer/', '"/_explorer/') },
          page,
          description,
        )
      : documentText(page, description, undefined)
    const framed = isFramed && embed.length > 0 && { 'content-security-policy': framedBy(embed) }
    const headers = hasShell ? shell.headers : { ...framed }
    const { cacheable, ...sent } = this.#answers.sent(request, body, { headers })
    // The next search may get further.
    return answer.isPartial || cacheable === undefined ? sent : { ...sent, cacheable }
  }

  /** Returns the feed of the entities of a view that changed last. Its URL is its identity, whatever the order of the view. */
  async #feed(request: WorldRequest, { type: { type }, view, words }: ReadView): Promise<WorldResponse> {
    const asked = { ...NOTHING_ASKED, ...view.asked, sort: '', near: undefined }
    const newest = viewPath('', { asked: { ...asked, sort: '-updatedAt' } }).split('?')[1]
    const read = await this.#read(type, new URLSearchParams(newest), request.signal)
    const { entities, isPartial } = await answerView(read, this.#world, request)
    if (isPartial) throw unavailable('Finding what changed last took too long. Try again.', RETRY_SECONDS)
    const { url: origin } = this.#mount.origin(request)
    const { description } = this.#world
    const page = origin + viewPath(type, { asked })
    const self = withParameter(page, 'format=atom')
    const title = `${titleOfView({ asked }, words)} – ${worldName(description)}`
    const about = { ...description, world: description.id, origin }
    const headers = { 'content-type': `${FEED_TYPE}; charset=utf-8` }
    return this.#answers.sent(request, feedText(entities, about, { title, id: self, self, page }), {
      headers,
    })
  }

  /** Describes a view of this world as oEmbed does. Any other URL is 404, and any other format than JSON 501. */
  async described(request: WorldRequest): Promise<WorldResponse> {
    const query = new URLSearchParams(splitTarget(request.target).query)
    if ((query.get('format') ?? 'json') !== 'json')
      throw new WorldFault('not_implemented', 'The format is json.')
    const { url: origin } = this.#mount.origin(request)
    const url = URL.parse(query.get('url') ?? '')
    const [, name] = /^\/v\/([^/]+)$/.exec(url?.pathname ?? '') ?? []
    if (url === null || url.origin !== origin || name === undefined) throw notEmbedded()
    const asked = url.searchParams
    asked.delete('embed')
    const read = await this.#read(decoded(name), asked, request.signal).catch((error: unknown) => {
      throw isClientError(error) ? notEmbedded() : error
    })
    const width = sizeIn(query.get('maxwidth'), WIDTH)
    const height = sizeIn(query.get('maxheight'), HEIGHT)
    const path = viewPath(read.type.type, read.view)
    const framed = html`<iframe src="${withParameter(origin + path, 'embed=1')}" width="${width}" height="${height}" title="${read.title}" sandbox="allow-popups" loading="lazy"></iframe>`
    const body = JSON.stringify({
      version: '1.0',
      type: 'rich',
      title: read.title,
      provider_name: worldName(this.#world.description),
      provider_url: `${origin}/`,
      width,
      height,
      html: framed.text,
    })
    return this.#answers.sent(request, body, { headers: { 'content-type': `${OEMBED_TYPE}; charset=utf-8` } })
  }
}

function oembedLink(origin: string, { type, view, title }: ReadView): Html {
  const url = encodeURIComponent(origin + viewPath(type.type, view))
  return html`<link rel="alternate" type="${OEMBED_TYPE}" title="${title}" href="${origin}${OEMBED_PATH}?url=${url}">`
}

/** Removes a parameter from a query and returns its only value. Leaves a repeated one, which no view has. */
function taken(query: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = query.getAll(name)
  if (others.length > 0) return undefined
  query.delete(name)
  return value
}

function notEmbedded(): WorldFault {
  return new WorldFault('not_found', 'This is no URL of a view of this world.')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw notEmbedded()
  }
}

/** Returns `most` pixels, or the size that a program allows if that is smaller. */
function sizeIn(allowed: string | null, most: number): number {
  return /^[1-9]\d{0,5}$/.test(allowed ?? '') ? Math.min(Number(allowed), most) : most
}
