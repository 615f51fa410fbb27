import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Fetch } from '@worldwright/client'

/** Maximum size of a cached body, in bytes. The client accepts no larger body. */
const MAX_BYTES = 16 * 1024 * 1024

interface KeptPage {
  readonly url: string
  readonly etag: string
  /** Response headers, which may contain the cursor of the next page. */
  readonly headers: readonly [string, string][]
  /** Response body as text. */
  readonly body: string
}

/**
 * Cache of list pages in a folder. `fetch` revalidates a cached page with If-None-Match (RFC 9110, 13.1.2), and returns
 * it if the response is 304.
 */
export class PageCache {
  readonly #folder: string
  readonly #fetch: Fetch
  readonly #used = new Set<string>()
  /** Number of pages transferred, and number of pages found unchanged. */
  readonly counts = { transferred: 0, unchanged: 0 }
  /** Entity tag of the last requested first page of a list; undefined if the response had none. */
  etag: string | undefined

  constructor(folder: string, fetch: Fetch = globalThis.fetch as Fetch) {
    this.#folder = folder
    this.#fetch = fetch
  }

  /** Sends a request. Only list pages are cached; other requests are forwarded unchanged. */
  readonly fetch: Fetch = async (url, init) => {
    if (init.method !== 'GET' || !new URL(url).pathname.includes('/entities/')) return this.#fetch(url, init)
    const name = `${createHash('sha256').update(url).digest('hex')}.gz`
    const kept = await this.#kept(name, url)
    const headers = new Headers(init.headers)
    if (kept) headers.set('if-none-match', kept.etag)
    const response = await this.#fetch(url, { ...init, headers: Object.fromEntries(headers) })
    this.#used.add(name)
    if (kept && response.status === 304) {
      await response.body?.cancel()
      this.counts.unchanged += 1
      this.#note(url, kept.etag)
      // A 304 response repeats only some of the headers (RFC 9110, 15.4.5).
      return new Response(kept.body, { headers: Object.fromEntries([...kept.headers, ...response.headers]) })
    }
    if (response.ok) this.counts.transferred += 1
    const etag = response.headers.get('etag') ?? undefined
    this.#note(url, etag)
    if (!response.ok || !response.body || etag === undefined) return response
    const body = response.body.pipeThrough(this.#keeping(name, { url, etag, headers: [...response.headers] }))
    return new Response(body, { status: response.status, headers: response.headers })
  }

  #note(url: string, etag: string | undefined): void {
    if (/\/entities\/[^/?]+(\?limit=\d+)?$/.test(url)) this.etag = etag
  }

  /** Deletes all cached pages that were not requested in this run. */
  async removeUnused(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => []))
      if (!this.#used.has(name)) await rm(join(this.#folder, name), { force: true })
  }

  /** Passes a body through, and caches it once it is complete. */
  #keeping(name: string, page: Omit<KeptPage, 'body'>): TransformStream<Uint8Array, Uint8Array> {
    const parts: Uint8Array[] = []
    let bytes = 0
    return new TransformStream({
      transform(part, controller) {
        bytes += part.byteLength
        if (bytes <= MAX_BYTES) parts.push(part)
        controller.enqueue(part)
      },
      flush: async () => {
        if (bytes <= MAX_BYTES) await this.#keep(name, { ...page, body: Buffer.concat(parts).toString() })
      },
    })
  }

  async #keep(name: string, page: KeptPage): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const file = join(this.#folder, name)
    await writeFile(`${file}.draft`, await promisify(gzip)(JSON.stringify(page), { level: 1 }))
    await rename(`${file}.draft`, file)
  }

  async #kept(name: string, url: string): Promise<KeptPage | undefined> {
    try {
      const page = JSON.parse(String(await promisify(gunzip)(await readFile(join(this.#folder, name)))))
      return page.url === url && typeof page.etag === 'string' && Array.isArray(page.headers)
        ? page
        : undefined
    } catch {
      // If the file is missing, damaged or of an older version, the page is fetched again.
      return undefined
    }
  }
}
