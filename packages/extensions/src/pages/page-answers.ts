/** Responses of the extension `worldwright:pages`: whole pages, their headers, and error pages. */
import { hash } from 'node:crypto'
import type { EntityTypeDescription, FieldFault } from '@worldwright/client/protocol'
import type { Mount, World, WorldRequest, WorldResponse } from '@worldwright/core'
import { preferredType, splitTarget, statusOf, type WorldFault } from '@worldwright/core'
import { licenceUrl } from '../files/licence.ts'
import { MARKDOWN_ENDING } from './addresses.ts'
import { html } from './html.ts'
import { MARKDOWN_TYPE, markdownText } from './markdown.ts'
import { isClientError } from './markdown-path.ts'
import { documentText, PAGE_POLICY, type Page } from './page-document.ts'
import { type Shell, shellText } from './shell.ts'

/** Media type of pages for browsers. */
export const HTML_TYPE = 'text/html'

/** Options that affect every page. See `PagesOptions`. */
export interface AnswerOptions {
  readonly shell?: Shell | undefined
  readonly entityFiles?: string | undefined
  /** Path of the style sheet. */
  readonly style: string
}

/** Builds the responses of a world's pages. */
export class PageAnswers {
  /** World whose description omits invisible text. */
  readonly #world: World
  readonly #mount: Mount
  readonly #options: AnswerOptions

  constructor(world: World, mount: Mount, options: AnswerOptions) {
    this.#world = world
    this.#mount = mount
    this.#options = options
  }

  /** Returns the description of a type, or only its name if it is unknown. */
  async described(type: string): Promise<EntityTypeDescription> {
    return (await this.#world.types()).find((one) => one.type === type) ?? { type }
  }

  /** Renders client errors as pages, and rethrows server errors. */
  async orFault(make: () => Promise<WorldResponse>): Promise<WorldResponse> {
    try {
      return await make()
    } catch (error) {
      if (!isClientError(error)) throw error
      return this.fault(error)
    }
  }

  /** Renders an error page. Returns undefined, so that JSON is sent, for API paths and clients that do not prefer HTML. */
  notFound({ target, headers: { accept } }: WorldRequest, fault: WorldFault): WorldResponse | undefined {
    const isForPrograms = ['/api/', '/.well-known/', `${this.#mount.apiPath}/`].some((prefix) =>
      splitTarget(target).path.startsWith(prefix),
    )
    if (isForPrograms || fault.code === 'api_moved') return undefined
    if (preferredType(accept, ['application/json', HTML_TYPE]) !== HTML_TYPE) return undefined
    const { headers, ...page } = this.fault(fault)
    return { ...page, headers: { ...headers, vary: 'Accept, Accept-Encoding' } }
  }

  /** Renders a fault as a page with its status. */
  fault({ code, message, details }: WorldFault): WorldResponse {
    const { fields = [] } = details as { fields?: readonly FieldFault[] }
    const others =
      fields.length > 1 && html`<ul>${fields.map((field) => html`<li>${field.message}</li>`)}</ul>`
    const body = html`<p>${message}</p>${others}<p><a href="/">What there is</a></p>`
    return {
      status: statusOf(code),
      headers: { ...PAGE_HEADERS, 'cache-control': 'no-store', 'world-error-code': code },
      body: this.document({ title: 'Nothing here', body }),
    }
  }

  /**
   * Returns a page as HTML or Markdown. `place` is its path in the explorer, below the world's path; `path` its own path, if it
   * has Markdown; `next` the path of the next page.
   */
  answer(
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
      return this.sent(request, markdownText(page.title, page.body), {
        links,
        headers: { 'content-type': `${MARKDOWN_TYPE}; charset=utf-8` },
      })
    const explore = this.#options.shell && `/#/w/${encodeURIComponent(origin)}/${place}`
    // A world of files has no Markdown.
    const hasMarkdown = path !== undefined && this.#options.entityFiles === undefined
    const more =
      hasMarkdown && html`<link rel="alternate" type="${MARKDOWN_TYPE}" href="${path}${MARKDOWN_ENDING}">`
    const whole = { ...page, links: [page.links, more] }
    return this.sent(request, this.document(whole, explore), { links })
  }

  /** Returns the text of a page, as the page of the explorer if a `shell` is given. */
  document(page: Page, explore?: string, shell?: Shell): string {
    const { description } = this.#world
    const { style } = this.#options
    return shell
      ? shellText(shell, page, description, style)
      : documentText(page, description, style, explore)
  }

  /** Returns a page that is sent as it is. `links` are those of the header field `Link`. */
  sent(
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

/** Header fields of every page. */
const PAGE_HEADERS = {
  'content-type': `${HTML_TYPE}; charset=utf-8`,
  'content-security-policy': PAGE_POLICY,
  'referrer-policy': 'no-referrer',
}
