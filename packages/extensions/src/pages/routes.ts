/** The extension `worldwright:pages`, which serves pages without scripts for search engines and readers. */
import { holdsValue, parseExact } from '@worldwright/client/exact'
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type {
  Extension,
  Mount,
  Route,
  RouteHandler,
  RouteParams,
  WorldRequest,
  WorldResponse,
} from '@worldwright/core'
import { World } from '@worldwright/core'
import type { DownloadFiles } from '../downloads/download.ts'
import type { OfferedDownload } from '../downloads/routes.ts'
import { createImageMaker, type ImageMaker } from '../images/index.ts'
import { requireSearch } from '../query/require-search.ts'
import type { Story } from '../stories/index.ts'
import { pagePath } from '../views/index.ts'
import { entityFilePath, entityPath, listPath, listQuery } from './addresses.ts'
import { entityPage, titlesOf } from './entity-page.ts'
import { featuredOf } from './featured.ts'
import { homePage, typePage } from './list-pages.ts'
import { declared, type Look, lookRoutes } from './look.ts'
import { madeRoutes } from './made-routes.ts'
import { MARKDOWN_TYPE } from './markdown.ts'
import { askedPage } from './markdown-path.ts'
import { HTML_TYPE, PageAnswers } from './page-answers.ts'
import { imageRoutes } from './page-images.ts'
import { referrersHtml, referrersOf } from './referrers.ts'
import { seenWords } from './seen-text.ts'
import type { Shell } from './shell.ts'
import { storyRoute } from './story-page.ts'
import { styleOf } from './style.ts'
import { viewRoutes } from './view-routes.ts'

/** Options for the extension `worldwright:pages`. */
export interface PagesOptions {
  /** Page of the explorer. If absent, pages do not link to an explorer. */
  readonly shell?: Shell | undefined
  /** Provides the sitemaps and the feed. If absent, there are none. */
  readonly files?: DownloadFiles | undefined
  /** Returns the downloads of a type, or of the whole world. If absent, there are none. */
  readonly downloads?: (type?: EntityTypeDescription) => readonly OfferedDownload[]
  /** Path prefix of entity files, in a world that consists of files. Pages link to these files, or by default to the API. */
  readonly entityFiles?: string | undefined
  /** Draws the share images of pages; false for none. Default: one that draws if the packages it needs are installed. */
  readonly images?: ImageMaker | false | undefined
  /** Origins whose pages may frame views, or `*` for any. Default: none. */
  readonly embed?: readonly string[] | undefined
  /** Stories, in the order of the home page. Default: none. */
  readonly stories?: readonly Story[] | undefined
  /** Look of the world. Default: none of its own. */
  readonly look?: Look | undefined
}

/** Number of entities per page of a list. */
const LIST_LIMIT = 50
/** `Cache-Control` of content that never changes under its URL. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Name of the extension. Discovery lists it if the world serves views. */
const PAGES_EXTENSION = 'worldwright:pages'

/**
 * Serves the world's home page at `/`, stories at `/s/{name}`, views of types at `/v/{type}`, types at `/t/{type}`, and entities at
 * `/t/{type}/{id}`. Pages are rendered on request. A missing page is answered with an HTML page and the status of the error.
 * A path of a type or an entity with `.md` after it is that of its page as Markdown.
 */
export function pages(options: PagesOptions = {}): Extension {
  return (mount) => {
    requireSearch(mount.source, 'pages()')
    const world = new World(seenWords(mount.world.description), mount.source)
    const { images = createImageMaker(), stories = [], look = {}, entityFiles } = options
    const style = styleOf(look)
    const answers = new PageAnswers(world, mount, { ...options, style: style.path })
    const hasViews = entityFiles === undefined
    const own = { ...options, images: images ?? false }
    const made = new Pages(world, mount, own, answers)
    const types = [HTML_TYPE, MARKDOWN_TYPE]
    const route = (path: string, GET: RouteHandler, more: Partial<Route> = {}): Route => ({
      path,
      answers: [HTML_TYPE],
      methods: { GET },
      ...more,
    })
    return {
      name: PAGES_EXTENSION,
      close: () => (images ? images.close() : undefined),
      declares: async (types) =>
        declared(look, await featuredOf(stories, hasViews ? types : [], mount), hasViews),
      notFound: (request, fault) => answers.notFound(request, fault),
      routes: [
        route('/', (request) => made.home(request)),
        route('/t/{type}', (request, params) => made.ofType(request, params), { answers: types }),
        route('/lists/{type}/{cursor}', (request, params) => made.ofType(request, params), {
          answers: types,
        }),
        route('/t/{type}/{id}', (request, params) => made.ofEntity(request, params), {
          answers: types,
          lane: 'search',
        }),
        ...(images ? imageRoutes(world, mount, answers, images, hasViews) : []),
        // A server of files answers no queries.
        ...(hasViews ? viewRoutes({ ...own, world, mount, answers }) : []),
        storyRoute({
          stories,
          world,
          mount,
          answers,
          source: mount.source,
          hasImages: Boolean(images),
          hasViews,
        }),
        ...(options.files ? madeRoutes(world, options.files, mount, stories) : []),
        ...lookRoutes(look),
        route(style.path, () => styleAnswer(style.text), {
          answers: ['text/css'],
          open: true,
          lane: 'free',
        }),
      ],
    }
  }
}

function styleAnswer(body: string): WorldResponse {
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': FOREVER }
  return { status: 200, headers, body, memoizable: true }
}

class Pages {
  /** World whose description omits invisible text. */
  readonly #world: World
  readonly #mount: Mount
  readonly #options: PagesOptions
  readonly #answers: PageAnswers

  constructor(world: World, mount: Mount, options: PagesOptions, answers: PageAnswers) {
    this.#world = world
    this.#mount = mount
    this.#options = options
    this.#answers = answers
  }

  async home(request: WorldRequest): Promise<WorldResponse> {
    const { url: origin } = this.#mount.origin(request)
    const states = await this.#mount.source.types({ signal: request.signal })
    const counts = new Map([...states].map(([type, { count }]) => [type, count]))
    const { description } = this.#world
    const { stories = [], entityFiles } = this.#options
    const types = await this.#world.types()
    const page = homePage(description, {
      types,
      counts,
      origin,
      downloads: this.#downloads(),
      hasImages: this.#hasImages,
      featured: await featuredOf(stories, entityFiles === undefined ? types : [], this.#mount),
      look: this.#options.look ?? {},
    })
    const { shell } = this.#options
    if (shell === undefined) return this.#answers.answer(request, page)
    const body = this.#answers.document(page, undefined, shell)
    return this.#answers.sent(request, body, { headers: shell.headers })
  }

  ofType(request: WorldRequest, { type: named = '', cursor: place }: RouteParams): Promise<WorldResponse> {
    return this.#answers.orFault(async () => {
      const { signal } = request
      const { found, name, isMarkdown } = await askedPage(request.target, place ?? named, (last) => {
        const cursor = place && last
        return this.#world.list(place === undefined ? last : named, { limit: LIST_LIMIT, cursor, signal })
      })
      const [type, cursor] = place === undefined ? [name] : [named, name]
      const described = await this.#answers.described(type)
      const path = cursor === undefined ? pagePath(type) : listPath(type, cursor)
      const next = found.nextCursor && listPath(type, found.nextCursor)
      const { url: api } = this.#mount.apiUrl(request)
      const { entityFiles } = this.#options
      const listed = typePage(this.#world.description, described, {
        page: found,
        path,
        json: entityFiles === undefined ? api + listQuery(type, LIST_LIMIT, cursor) : undefined,
        next,
        origin: this.#mount.origin(request).url,
        downloads: this.#downloads(described),
        hasImages: this.#hasImages,
      })
      return this.#answers.answer(request, listed, {
        place: `t/${encodeURIComponent(type)}`,
        path,
        next,
        isMarkdown,
      })
    })
  }

  ofEntity(request: WorldRequest, { type = '', id = '' }: RouteParams): Promise<WorldResponse> {
    return this.#answers.orFault(async () => {
      const { signal, client } = request
      const { found, isMarkdown } = await askedPage(request.target, id, (id) =>
        this.#world.get(type, id, { signal }),
      )
      const entity = parseExact(found.json, holdsValue) as Entity
      const referrers = await referrersOf(entity, this.#world, { signal, client })
      const page = entityPage(entity, {
        type: await this.#answers.described(type),
        origin: this.#mount.origin(request).url,
        json: this.#jsonOf(request, entity),
        titles: await titlesOf(entity.attributes, this.#mount.source, { signal }),
        referrers: referrers && referrersHtml(referrers, await this.#world.types()),
        hasImages: this.#hasImages,
        isExact: isMarkdown,
      })
      const place = `e/${encodeURIComponent(type)}/${encodeURIComponent(entity.id)}`
      const path = pagePath(type, entity.id)
      const { cacheable, ...answer } = this.#answers.answer(request, page, { place, path, isMarkdown })
      // Partial counts are not cached, because the next search may get further.
      return referrers?.counted.partial || cacheable === undefined ? answer : { ...answer, cacheable }
    })
  }

  get #hasImages(): boolean {
    return Boolean(this.#options.images)
  }

  #downloads(type?: EntityTypeDescription): readonly OfferedDownload[] {
    return this.#options.downloads?.(type) ?? []
  }

  #jsonOf(request: WorldRequest, { type, id }: Entity): string {
    const { entityFiles } = this.#options
    if (entityFiles === undefined) return this.#mount.apiUrl(request).url + entityPath(type, id)
    return this.#mount.origin(request).url + entityFiles + entityFilePath(type, id)
  }
}
