/**
 * File with all sitemaps of a world. They are generated in one scan, and each is served as a range of the file. The file
 * consists of the sitemaps, a table of their offsets, and the length of the table in the last twelve bytes.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { Store } from '@worldwright/core/store'
import { pagePath } from '../views/index.ts'
import { html } from './html.ts'

/** Byte range of a sitemap within the file, from `start` (inclusive) to `end` (exclusive). */
export interface SitemapPart {
  readonly start: number
  readonly end: number
  /** Time of the latest change to an entity in the sitemap, in RFC 3339; empty if there is none. */
  readonly changed: string
}

/** Protocol limits per sitemap. The byte limit leaves room for the last address. */
const MOST_ADDRESSES = 50_000
const MOST_BYTES = 45_000_000
/** Number of addresses written per batch. */
const AT_A_TIME = 500
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
const TAIL = '</urlset>\n'
const LENGTH_BYTES = 12

/** Yields the file: the paths `pages`, and all entities of a snapshot with the times of their last changes. */
export async function* sitemapPieces(
  store: Store,
  origin: string,
  pages: readonly string[],
): AsyncGenerator<string> {
  const file = new SitemapWriter(origin)
  const snapshot = await store.snapshot()
  try {
    yield file.begin()
    let piece = pages.map((path) => file.address(path, '')).join('')
    let count = 0
    for await (const { type, id, json } of snapshot.entities()) {
      piece += file.address(pagePath(type, id), changedAt(json))
      count += 1
      if (count % AT_A_TIME !== 0) continue
      yield piece
      piece = ''
    }
    yield piece + file.end()
  } finally {
    await snapshot.close()
  }
}

class SitemapWriter {
  readonly #origin: string
  readonly #parts: SitemapPart[] = []
  #bytes = 0
  #start = 0
  #addresses = 0
  #changed = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  begin(): string {
    this.#start = this.#bytes
    this.#addresses = 0
    this.#changed = ''
    return this.#counted(HEAD)
  }

  /** Adds an address. If the sitemap is full, first ends it and begins the next one. */
  address(path: string, changed: string): string {
    const isFull = this.#addresses >= MOST_ADDRESSES || this.#bytes - this.#start > MOST_BYTES
    const before = isFull ? this.#finish() + this.begin() : ''
    this.#addresses += 1
    if (changed > this.#changed) this.#changed = changed
    const date = changed === '' ? '' : html`<lastmod>${changed}</lastmod>`.text
    return before + this.#counted(`<url>${html`<loc>${this.#origin + path}</loc>`.text}${date}</url>\n`)
  }

  end(): string {
    const last = this.#finish()
    const table = JSON.stringify(this.#parts)
    return last + table + String(table.length).padStart(LENGTH_BYTES)
  }

  #finish(): string {
    const tail = this.#counted(TAIL)
    this.#parts.push({ start: this.#start, end: this.#bytes, changed: this.#changed })
    return tail
  }

  /** Adds the bytes of `text` to the count, and returns `text`. Addresses are ASCII, so each character is one byte. */
  #counted(text: string): string {
    this.#bytes += text.length
    return text
  }
}

function changedAt(json: string): string {
  const { updatedAt }: { updatedAt?: unknown } = JSON.parse(json)
  return typeof updatedAt === 'string' ? updatedAt : ''
}

/** Reads the table of sitemaps from a file written by `sitemapPieces`. */
export async function sitemapParts(path: string, size: number): Promise<readonly SitemapPart[]> {
  const file = await open(path)
  try {
    const length = Number(await textAt(file, size - LENGTH_BYTES, LENGTH_BYTES))
    return JSON.parse(await textAt(file, size - LENGTH_BYTES - length, length))
  } finally {
    await file.close()
  }
}

async function textAt(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.toString('latin1')
}
