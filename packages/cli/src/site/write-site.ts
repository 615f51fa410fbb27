/** Writes a world as static files: the responses of its handler, its lists, and its search index. */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '@worldwright/client/protocol'
import type { WorldHandler } from '@worldwright/core'
import { type Store, searchSynonyms } from '@worldwright/core/store'
import { pagePath } from '@worldwright/extensions/views'
import { buildSegmentFile } from '@worldwright/search'
import { searchDocuments } from '@worldwright/search/entities'
import { OutputFault } from '@worldwright/serve/terminal'
import { attachmentPaths } from './attachment-paths.ts'
import { SITE_ERRORS } from './errors.ts'
import { FIRST_PAGE, type ListPage, ListPages, PAGE_SIZES } from './list-files.ts'
import { SITE_FILE, type SiteFolder } from './site-folder.ts'

/** Discovery extension that declares the paths of the files. */
export const FILES_EXTENSION = 'worldwright:files'

/** Input of a site export. */
export interface SiteSource {
  readonly handler: WorldHandler
  readonly store: Store
  /** Absolute path of the folder with the world's attachments. */
  readonly attachments?: string | undefined
  /** URL paths of the explorer's files. */
  readonly assets: readonly string[]
  /** URL paths of the stories. */
  readonly stories: readonly string[]
  readonly signal: AbortSignal
}

const API = ['api', 'world', 'v0'] as const
/** Path of entity files. It differs from the paths that clients request, so that no server rewrite rule applies to it. */
const ENTITIES = [...API, 'files'] as const
/** Path prefix of entity files. */
export const ENTITIES_PATH = `/${ENTITIES.join('/')}`
const WELL_KNOWN = '/.well-known/world.json'

/** Writes all files of a world. @throws OutputFault if the store changes meanwhile or a file name is invalid */
export async function writeSite(source: SiteSource, folder: SiteFolder): Promise<void> {
  const before = await source.store.version()
  const site = new Site(source, folder)
  await site.entities()
  await site.search()
  await site.pages()
  await site.downloads()
  await site.attachments()
  await site.discovery()
  await site.errors()
  if ((await source.store.version()) !== before)
    throw new OutputFault('The store changed while it was read. Nothing was written; try again.')
}

class Site {
  readonly #source: SiteSource
  readonly #folder: SiteFolder
  #search = ''

  constructor(source: SiteSource, folder: SiteFolder) {
    this.#source = source
    this.#folder = folder
  }

  /** Writes the entities, their lists, and their HTML pages. */
  async entities(): Promise<void> {
    const { store, signal } = this.#source
    const types = (await this.#document())['entityTypes'] as unknown as readonly { type: string }[]
    const counts = await store.types()
    const snapshot = await store.snapshot()
    try {
      for (const { type } of types) {
        const lists = new ListPages(type, counts.get(type)?.count ?? 0)
        await this.#writePage(type, lists.empty())
        for await (const entity of snapshot.entities(type)) {
          signal.throwIfAborted()
          for (const page of lists.add(entity)) await this.#writePage(type, page)
          const { id } = entity
          await this.#folder.write([...ENTITIES, type, `${id}.json`], entity.json)
          await this.#copy(pagePath(type, id), ['t', type, id, 'index.html'])
        }
        for (const page of lists.end()) await this.#writePage(type, page)
        await this.#listPages(type)
      }
    } finally {
      await snapshot.close()
    }
  }

  /** Writes the search index. The rows file is named after its hash, so a table never refers to the wrong rows. */
  async search(): Promise<void> {
    const { table, rows } = buildSegmentFile(await searchDocuments(this.#source.store))
    const bytes = Buffer.concat(rows)
    const name = `rows-${hash('sha256', bytes, 'hex').slice(0, 16)}.bin`
    await this.#folder.write(['search', name], bytes)
    const synonyms = await searchSynonyms(this.#source.store)
    const text = JSON.stringify({ rows: `/search/${name}`, synonyms, ...table })
    this.#search = `table-${hash('sha256', text, 'hex').slice(0, 16)}.json`
    await this.#folder.write(['search', this.#search], text)
  }

  async pages(): Promise<void> {
    await this.#copy('/', ['index.html'])
    for (const path of ['/robots.txt', '/sitemap.xml', '/feed.atom', ...this.#source.assets])
      await this.#copy(path)
    for (const path of this.#source.stories) await this.#copy(path, [...partsOf(path), 'index.html'])
    const [, style] = /href="(\/_pages\/[\w.-]+)"/.exec(await this.#text('/')) ?? []
    if (style !== undefined) await this.#copy(style)
    for (let at = 1; await this.#copy(`/sitemaps/${at}.xml`, undefined, true); at += 1);
  }

  /** Writes each download as a file. Omits those that cannot be created, such as tables with too many columns. */
  async downloads(): Promise<void> {
    const listed = JSON.parse(await this.#text('/download'))
    const downloads: JsonObject[] = []
    for (const download of listed.downloads as { path: string }[])
      if (await this.#copy(download.path, undefined, true)) downloads.push(download)
    await this.#folder.write(['download', 'index.json'], JSON.stringify({ ...listed, downloads }))
  }

  async attachments(): Promise<void> {
    const { attachments } = this.#source
    if (attachments === undefined) return
    for await (const path of attachmentPaths(attachments)) await this.#copy(path, undefined, true)
  }

  /** Writes the discovery document, without the members that require a running server. */
  async discovery(): Promise<void> {
    const { revision: _r, actions: _a, limits: _l, extensions, ...document } = await this.#document()
    const { 'worldwright:query': query, ...others } = extensions as JsonObject
    const kept = Object.entries(others).filter(([name]) => KEPT_EXTENSIONS.has(name))
    const most = Math.max(...PAGE_SIZES)
    const files = {
      entities: ENTITIES_PATH,
      lists: `/${API.join('/')}/lists`,
      pageSizes: [...PAGE_SIZES],
      firstPage: FIRST_PAGE,
      search: `/search/${this.#search}`,
      ...(query !== undefined && { query }),
    }
    const whole = {
      ...document,
      actions: [],
      limits: { list: { default: most, max: most } },
      extensions: { ...Object.fromEntries(kept), [FILES_EXTENSION]: files },
    }
    const text = JSON.stringify(whole)
    const revision = hash('sha256', text, 'base64url').slice(0, 16)
    await this.#folder.write(['.well-known', 'world.json'], JSON.stringify({ ...whole, revision }))
    const { world } = document as { world: { id: string } }
    await this.#folder.write([SITE_FILE], JSON.stringify({ world: world.id, revision }))
  }

  /** Writes the error responses for missing files, as JSON and as an HTML page. */
  async errors(): Promise<void> {
    for (const [name, text] of Object.entries(SITE_ERRORS))
      await this.#folder.write(['errors', `${name}.json`], text)
    const { bytes } = await this.#asked('/errors', { accept: 'text/html' })
    await this.#folder.write(['errors', 'not_found.html'], bytes)
  }

  async #document(): Promise<JsonObject> {
    return JSON.parse(await this.#text(WELL_KNOWN))
  }

  async #writePage(type: string, { size, name, json }: ListPage): Promise<void> {
    await this.#folder.write([...API, 'lists', type, String(size), `${name}.json`], json)
  }

  /** Writes the HTML pages of a list by following the `next` links. */
  async #listPages(type: string): Promise<void> {
    let path: string | undefined = pagePath(type)
    while (path !== undefined) {
      const { headers, bytes } = await this.#asked(path)
      await this.#folder.write([...partsOf(path), 'index.html'], bytes)
      path = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1]
    }
  }

  /** Requests `path` and writes the response to a file. If `mayLack` is set, returns false on a 404. */
  async #copy(path: string, parts = partsOf(path), mayLack = false): Promise<boolean> {
    const { status, bytes } = await this.#asked(path)
    if (mayLack && status === 404) return false
    if (status !== 200) throw new OutputFault(`${path} answers ${status}: ${bytes.toString().slice(0, 300)}`)
    await this.#folder.write(parts, bytes)
    return true
  }

  async #text(path: string): Promise<string> {
    return (await this.#asked(path)).bytes.toString()
  }

  async #asked(target: string, asked: Readonly<Record<string, string>> = {}) {
    const { handler, signal } = this.#source
    const answer = await handler.handle({ method: 'GET', target, headers: asked, signal })
    const { status, headers, body = '' } = answer
    return { status, headers, bytes: await bytesOf(body) }
  }
}

/** Extensions that do not require a running server. */
const KEPT_EXTENSIONS: ReadonlySet<string> = new Set([
  'worldwright:downloads',
  'worldwright:attachments',
  'worldwright:pages',
])

function partsOf(path: string): string[] {
  return path.slice(1).split('/').map(decodeURIComponent)
}

async function bytesOf(body: Uint8Array | string | AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  return buffer(typeof body === 'string' || body instanceof Uint8Array ? Readable.from([body]) : body)
}
