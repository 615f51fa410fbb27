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
import { framedBy, worldName } from './page-document.ts'
import type { Shell } from './shell.ts'
import { answerView, type ReadView, readView } from './view-answer.ts'
import { MOST_TITLES, shownValues, viewPage, withParameter } from './view-page.ts'

/** Path of the descriptions of views for programs that embed them. */
const OEMBED_PATH = '/oembed'
const OEMBED_TYPE = 'application/json+oembed'
/** Maximum size of an embedded view, which is also the usual one, in pixels. */
const WIDTH = 800
const HEIGHT = 480
/** `Retry-After` for a feed that took too long, in seconds. */
const RETRY_SECONDS = 60

/** Sources of the answers to views. For the options, see `PagesOptions`. */
interface Views {
  readonly world: World
  readonly mount: Mount
  readonly answers: PageAnswers
  readonly shell?: Shell | undefined
  readonly embed?: readonly string[] | undefined
  readonly images: ImageMaker | false
}

/** Returns the routes of views: pages, feeds and oEmbed 1.0. @throws TypeError if an origin of `embed` is invalid */
export function viewRoutes(views: Views): readonly Route[] {
  const { answers, embed = [] } = views
  for (const one of embed) {
    if (one !== '*' && !(URL.canParse(one) && /^https?:/.test(one) && new URL(one).origin === one))
      throw new TypeError(`embed has origins such as https://site.example, or *; this is ${one}`)
  }
  const page: Route = {
    path: `${VIEW_PATH}{type}`,
    answers: [HTML_TYPE, FEED_TYPE],
    lane: 'search',
    methods: { GET: (request, params) => answers.orFault(() => viewAnswer(views, request, params)) },
  }
  const described: Route = {
    path: OEMBED_PATH,
    answers: [OEMBED_TYPE],
    methods: { GET: (request) => embedAnswer(views, request) },
  }
  return embed.length > 0 ? [page, described] : [page]
}

async function viewAnswer(
  views: Views,
  request: WorldRequest,
  { type = '' }: RouteParams,
): Promise<WorldResponse> {
  const query = new URLSearchParams(splitTarget(request.target).query)
  const isFeed = taken(query, 'format', 'atom')
  const isFramed = taken(query, 'embed', '1')
  const read = await readOf(views, request, type, query)
  return isFeed ? feedAnswer(views, request, read) : pageAnswer(views, request, read, isFramed)
}

function readOf({ world, mount }: Views, { signal }: WorldRequest, type: string, query: URLSearchParams) {
  return readView(type, query, { world, source: mount.source }, signal)
}

async function pageAnswer(
  { world, mount, answers, shell, embed = [], images }: Views,
  request: WorldRequest,
  read: ReadView,
  isFramed: boolean,
): Promise<WorldResponse> {
  const { signal } = request
  const answer = await answerView(read, world, request)
  const titles = await titlesOf(shownValues(read, answer), mount.source, { signal }, MOST_TITLES)
  const { url: origin } = mount.origin(request)
  const links = html`${embed.length > 0 && oembedLink(origin, read)}${isFramed && html`<base target="_blank">`}`
  const about = { origin, world: worldName(world.description), titles, links, hasImages: images !== false }
  const page = viewPage(read, answer, about)
  const own = isFramed ? undefined : shell
  // The page of the explorer refers to its files relative to the root.
  const text = own?.text.replaceAll('"./_explorer/', '"/_explorer/')
  const body = answers.document(page, undefined, own && { ...own, text: text ?? '' })
  const framed = isFramed && embed.length > 0 && { 'content-security-policy': framedBy(embed) }
  const { cacheable, ...sent } = answers.sent(request, body, { headers: { ...own?.headers, ...framed } })
  // The next search may get further.
  return answer.isPartial || cacheable === undefined ? sent : { ...sent, cacheable }
}

/** Returns the feed of the entities of a view that changed last. Its URL is its identity, whatever the order of the view. */
async function feedAnswer(
  views: Views,
  request: WorldRequest,
  { type: { type }, view, words }: ReadView,
): Promise<WorldResponse> {
  const { world, mount, answers } = views
  const asked = { ...NOTHING_ASKED, ...view.asked, sort: '', near: undefined }
  const newest = viewPath('', { asked: { ...asked, sort: '-updatedAt' } }).split('?')[1]
  const read = await readOf(views, request, type, new URLSearchParams(newest))
  const { entities, isPartial } = await answerView(read, world, request)
  if (isPartial) throw unavailable('Finding what changed last took too long. Try again.', RETRY_SECONDS)
  const { url: origin } = mount.origin(request)
  const page = origin + viewPath(type, { asked })
  const self = withParameter(page, 'format=atom')
  const title = `${titleOfView({ asked }, words)} – ${worldName(world.description)}`
  const about = { ...world.description, world: world.description.id, origin }
  const body = feedText(entities, about, { title, id: self, self, page })
  return answers.sent(request, body, { headers: { 'content-type': `${FEED_TYPE}; charset=utf-8` } })
}

/** Describes a view of this world as oEmbed does. Any other URL is 404, and any other format than JSON 501. */
async function embedAnswer(views: Views, request: WorldRequest): Promise<WorldResponse> {
  const query = new URLSearchParams(splitTarget(request.target).query)
  if ((query.get('format') ?? 'json') !== 'json')
    throw new WorldFault('not_implemented', 'The format is json.')
  const { url: origin } = views.mount.origin(request)
  const { type, view, title } = await viewAt(views, request, origin, URL.parse(query.get('url') ?? ''))
  const width = sizeIn(query.get('maxwidth'), WIDTH)
  const height = sizeIn(query.get('maxheight'), HEIGHT)
  const src = withParameter(origin + viewPath(type.type, view), 'embed=1')
  const framed = html`<iframe src="${src}" width="${width}" height="${height}" title="${title}" sandbox="allow-popups" loading="lazy"></iframe>`
  const body = JSON.stringify({
    version: '1.0',
    type: 'rich',
    title,
    provider_name: worldName(views.world.description),
    provider_url: `${origin}/`,
    width,
    height,
    html: framed.text,
  })
  return views.answers.sent(request, body, {
    headers: { 'content-type': `${OEMBED_TYPE}; charset=utf-8` },
  })
}

async function viewAt(
  views: Views,
  request: WorldRequest,
  origin: string,
  url: URL | null,
): Promise<ReadView> {
  const [, name] = /^\/v\/([^/]+)$/.exec(url?.pathname ?? '') ?? []
  try {
    if (url?.origin !== origin || name === undefined) throw new URIError()
    url.searchParams.delete('embed')
    return await readOf(views, request, decodeURIComponent(name), url.searchParams)
  } catch (error) {
    if (!isClientError(error) && !(error instanceof URIError)) throw error
    throw new WorldFault('not_found', 'This is no URL of a view of this world.')
  }
}

function oembedLink(origin: string, { type, view, title }: ReadView): Html {
  const url = encodeURIComponent(origin + viewPath(type.type, view))
  return html`<link rel="alternate" type="${OEMBED_TYPE}" title="${title}" href="${origin}${OEMBED_PATH}?url=${url}">`
}

/** Removes a parameter that occurs once, with this value. Leaves any other, which no view has. */
function taken(query: URLSearchParams, name: string, value: string): boolean {
  const isGiven = query.getAll(name).length === 1 && query.get(name) === value
  if (isGiven) query.delete(name)
  return isGiven
}

/** Returns `most` pixels, or the size that a program allows if that is smaller. */
function sizeIn(allowed: string | null, most: number): number {
  return /^[1-9]\d{0,5}$/.test(allowed ?? '') ? Math.min(Number(allowed), most) : most
}
