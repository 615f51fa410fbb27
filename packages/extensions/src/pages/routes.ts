/** The extension `worldwright:pages`, which serves pages without scripts for search engines and readers. */
import { hash } from 'node:crypto'
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
import { preferredType, splitTarget, statusOf, World, type WorldFault } from '@worldwright/core'
import type { DownloadFiles } from '../downloads/download.ts'
import { licenceUrl } from '../files/licence.ts'
import { requireSearch } from '../query/require-search.ts'
import { entityFilePath, entityPath, listPath, listQuery, MARKDOWN_ENDING, pagePath } from './addresses.ts'
import { cardPng } from './card.ts'
import { entityPage, titlesOf } from './entity-page.ts'
import { html } from './html.ts'
import { homePage, type PageDownload, typePage } from './list-pages.ts'
import { madeRoutes } from './made-routes.ts'
import { MARKDOWN_TYPE, markdownText } from './markdown.ts'
import { askedPage, isClientError } from './markdown-path.ts'
import { documentText, PAGE_POLICY, type Page } from './page-document.ts'
import { ReferrerSections } from './referrer-sections.ts'
import { seenWords } from './seen-text.ts'
import { type Shell, shellText } from './shell.ts'
import { STYLE, STYLE_PATH } from './style.ts'

/** Options for the extension `worldwright:pages`. */
export interface PagesOptions {
  /** Page of the explorer. If absent, pages do not link to an explorer. */
  readonly shell?: Shell | undefined
  /** Provides the sitemaps and the feed. If absent, there are none. */
  readonly files?: DownloadFiles | undefined
  /** Returns the downloads of a type, or of the whole world. If absent, there are none. */
  readonly downloads?: (type?: EntityTypeDescription) => readonly PageDownload[]
  /** Path prefix of entity files, in a world that consists of files. Pages link to these files, or by default to the API. */
  readonly entityFiles?: string | undefined
  /** True to draw preview pictures for entities without pictures of their own. Default: true. */
  readonly cards?: boolean | undefined
}

/** Number of entities per page of a list. */
const LIST_LIMIT = 50
const HTML_TYPE = 'text/html'
/** `Cache-Control` of content that never changes under its URL. */
const FOREVER = 'public, max-age=31536000, immutable'

/** Name of the extension, which discovery does not list. */
const PAGES_EXTENSION = 'worldwright:pages'

/**
 * Serves the world's home page at `/`, types at `/t/{type}`, and entities at `/t/{type}/{id}`. Pages are rendered on
 * request. A missing page is answered with an HTML page and the status of the error. A path of a type or an entity with
 * `.md` after it is that of its page as Markdown.
 */
export function pages(options: PagesOptions = {}): Extension {
  return (mount) => {
    requireSearch(mount.source, 'pages()')
    const world = new World(seenWords(mount.world.description), mount.source)
    const made = new Pages(world, mount, options)
    const answers = [HTML_TYPE, MARKDOWN_TYPE]
    const route = (path: string, GET: RouteHandler, more: Partial<Route> = {}): Route => ({
      path,
      answers: [HTML_TYPE],
      methods: { GET },
      ...more,
    })
    return {
      name: PAGES_EXTENSION,
      notFound: (request, fault) => made.notFound(request, fault),
      routes: [
        route('/', (request) => made.home(request)),
        route('/t/{type}', (request, params) => made.ofType(request, params), { answers }),
        route('/lists/{type}/{cursor}', (request, params) => made.ofType(request, params), { answers }),
        route('/t/{type}/{id}', (request, params) => made.ofEntity(request, params), {
          answers,
          lane: 'search',
        }),
        route('/t/{type}/{id}/card.png', (request, params) => made.card(request, params), {
          answers: ['image/png'],
        }),
        ...(options.files ? madeRoutes(world, options.files, mount) : []),
        route(STYLE_PATH, () => STYLE_ANSWER, { answers: ['text/css'], open: true, lane: 'free' }),
      ],
    }
  }
}

const STYLE_ANSWER: WorldResponse = {
  status: 200,
  headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': FOREVER },
  body: STYLE,
  memoizable: true,
}

class Pages {
  /** World whose description omits invisible text. */
  readonly #world: World
  readonly #mount: Mount
  readonly #options: PagesOptions
  readonly #referrers: ReferrerSections

  constructor(world: World, mount: Mount, options: PagesOptions) {
    this.#world = world
    this.#mount = mount
    this.#options = options
    this.#referrers = new ReferrerSections(world, mount.source)
  }

  async home(request: WorldRequest): Promise<WorldResponse> {
    const { url: origin } = this.#mount.origin(request)
    const states = await this.#mount.source.types({ signal: request.signal })
    const counts = new Map([...states].map(([type, { count }]) => [type, count]))
    const { description } = this.#world
    const types = await this.#world.types()
    const page = homePage(description, { types, counts, origin, downloads: this.#downloads() })
    const { shell } = this.#options
    if (shell === undefined) return this.#answer(request, page)
    return this.#sent(request, shellText(shell, page, description), { headers: shell.headers })
  }

  ofType(request: WorldRequest, { type: named = '', cursor: place }: RouteParams): Promise<WorldResponse> {
    return this.#orFault(async () => {
      const { signal } = request
      const { found, name, isMarkdown } = await askedPage(request.target, place ?? named, (last) => {
        const cursor = place && last
        return this.#world.list(place === undefined ? last : named, { limit: LIST_LIMIT, cursor, signal })
      })
      const [type, cursor] = place === undefined ? [name] : [named, name]
      const described = await this.#described(type)
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
      })
      return this.#answer(request, listed, { place: `t/${encodeURIComponent(type)}`, path, next, isMarkdown })
    })
  }

  ofEntity(request: WorldRequest, { type = '', id = '' }: RouteParams): Promise<WorldResponse> {
    return this.#orFault(async () => {
      const { signal, client } = request
      const { found, isMarkdown } = await askedPage(request.target, id, (id) =>
        this.#world.get(type, id, { signal }),
      )
      const entity = parseExact(found.json, holdsValue) as Entity
      const { html: referrers, isPartial } = await this.#referrers.of(entity, { signal, client })
      const page = entityPage(entity, {
        type: await this.#described(type),
        origin: this.#mount.origin(request).url,
        json: this.#jsonOf(request, entity),
        titles: await titlesOf(entity, this.#mount.source, { signal }),
        referrers,
        hasCards: this.#options.cards ?? true,
        isExact: isMarkdown,
      })
      const place = `e/${encodeURIComponent(type)}/${encodeURIComponent(entity.id)}`
      const path = pagePath(type, entity.id)
      const { cacheable, ...answer } = this.#answer(request, page, { place, path, isMarkdown })
      // Partial counts are not cached, because the next search may get further.
      return isPartial || cacheable === undefined ? answer : { ...answer, cacheable }
    })
  }

  /** Returns the drawn preview picture of an existing entity. */
  async card({ signal }: WorldRequest, { type = '', id = '' }: RouteParams): Promise<WorldResponse> {
    const entity = await this.#world.get(type, id, { signal })
    const headers = {
      'content-type': 'image/png',
      'cache-control': FOREVER,
      'cross-origin-resource-policy': 'cross-origin',
    }
    return { status: 200, headers, body: cardPng(entity.type, entity.id), cacheable: { type } }
  }

  #downloads(type?: EntityTypeDescription): readonly PageDownload[] {
    return this.#options.downloads?.(type) ?? []
  }

  #jsonOf(request: WorldRequest, { type, id }: Entity): string {
    const { entityFiles } = this.#options
    if (entityFiles === undefined) return this.#mount.apiUrl(request).url + entityPath(type, id)
    return this.#mount.origin(request).url + entityFiles + entityFilePath(type, id)
  }

  async #described(type: string): Promise<EntityTypeDescription> {
    return (await this.#world.types()).find((one) => one.type === type) ?? { type }
  }

  /** Renders client errors as pages, and rethrows server errors. */
  async #orFault(make: () => Promise<WorldResponse>): Promise<WorldResponse> {
    try {
      return await make()
    } catch (error) {
      if (!isClientError(error)) throw error
      return this.#fault(error)
    }
  }

  /** Renders an error page. Returns undefined, so that JSON is sent, for API paths and clients that do not prefer HTML. */
  notFound({ target, headers: { accept } }: WorldRequest, fault: WorldFault): WorldResponse | undefined {
    const isForPrograms = ['/api/', '/.well-known/', `${this.#mount.apiPath}/`].some((prefix) =>
      splitTarget(target).path.startsWith(prefix),
    )
    if (isForPrograms || fault.code === 'api_moved') return undefined
    if (preferredType(accept, ['application/json', HTML_TYPE]) !== HTML_TYPE) return undefined
    const { headers, ...page } = this.#fault(fault)
    return { ...page, headers: { ...headers, vary: 'Accept, Accept-Encoding' } }
  }

  #fault({ code, message }: WorldFault): WorldResponse {
    const body = html`<p>${message}</p><p><a href="/">What there is</a></p>`
    return {
      status: statusOf(code),
      headers: { ...PAGE_HEADERS, 'cache-control': 'no-store', 'world-error-code': code },
      body: documentText({ title: 'Nothing here', body }, this.#world.description, undefined),
    }
  }

  /**
   * Returns a page as HTML or Markdown. `place` is its path in the explorer, below the world's path; `path` its own path, if it
   * has Markdown; `next` the path of the next page.
   */
  #answer(
    request: WorldRequest,
    page: Page,
    {
      place = '',
      path,
      next,
      isMarkdown,
    }: { place?: string; path?: string; next?: string | undefined; isMarkdown?: boolean } = {},
  ): WorldResponse {
    const { url: origin } = this.#mount.origin(request)
    const ending = isMarkdown ? MARKDOWN_ENDING : ''
    const links = next === undefined ? [] : [`<${next}${ending}>; rel="next"`]
    if (isMarkdown)
      return this.#sent(request, markdownText(page.title, page.body), {
        links,
        headers: { 'content-type': `${MARKDOWN_TYPE}; charset=utf-8` },
      })
    const explore = this.#options.shell && `/#/w/${encodeURIComponent(origin)}/${place}`
    // A world of files has no Markdown.
    const hasMarkdown = path !== undefined && this.#options.entityFiles === undefined
    const more =
      hasMarkdown && html`<link rel="alternate" type="${MARKDOWN_TYPE}" href="${path}${MARKDOWN_ENDING}">`
    const whole = { ...page, links: [page.links, more] }
    return this.#sent(request, documentText(whole, this.#world.description, explore), { links })
  }

  #sent(
    request: WorldRequest,
    body: string,
    {
      headers,
      links = [],
    }: { readonly headers?: Readonly<Record<string, string>>; readonly links?: readonly string[] },
  ): WorldResponse {
    const isForAll = !this.#mount.origin(request).fromHeaders
    const license = licenceUrl(this.#world.description.license)
    const all = [...links, ...(license === undefined ? [] : [`<${license}>; rel="license"`])]
    return {
      status: 200,
      headers: {
        ...PAGE_HEADERS,
        ...headers,
        'cache-control': isForAll ? 'public, no-cache' : 'private, no-store',
        etag: `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
        ...(all.length > 0 && { link: all.join(', ') }),
      },
      body,
      // A page includes titles of other entities, so every change invalidates it.
      ...(isForAll && { cacheable: {} }),
    }
  }
}

const PAGE_HEADERS = {
  'content-type': `${HTML_TYPE}; charset=utf-8`,
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
}
