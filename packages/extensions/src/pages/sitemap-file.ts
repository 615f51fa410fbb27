/**
 * All sitemaps of a world in one file, so that they are made in one walk and served as parts of it: sitemaps one after the
 * other, then a table of where each stands, and in the last twelve bytes how long the table is.
 */
import { type FileHandle, open } from 'node:fs/promises'
import type { Store } from '@worldwright/core/store'
import { pagePath } from './addresses.ts'
import { html } from './html.ts'

/** One sitemap within the file, from `start` up to, not including, `end`. */
export interface SitemapPart {
  readonly start: number
  readonly end: number
  /** When what it lists changed last, in RFC 3339. */
  readonly changed: string
}

/** What the protocol of sitemaps allows in one, and bytes with room for the last address. */
const MOST_ADDRESSES = 50_000
const MOST_BYTES = 45_000_000
/** Addresses that are written at a time. */
const AT_A_TIME = 500
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`
const TAIL = '</urlset>\n'
const LENGTH_BYTES = 12

/** The file: the home and each type, then every entity of one snapshot, with when it changed. */
export async function* sitemapPieces(
  storage: Store,
  origin: string,
  types: readonly string[],
): AsyncGenerator<string> {
  const file = new SitemapWriter(origin)
  const snapshot = await storage.snapshot()
  try {
    yield file.begin()
    yield file.address('/', '')
    let piece = types.map((type) => file.address(pagePath(type), '')).join('')
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

  /** An address, after the end of one sitemap and the beginning of the next where this one is full. */
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

  /** Addresses are ASCII: a character is a byte. */
  #counted(text: string): string {
    this.#bytes += text.length
    return text
  }
}

function changedAt(json: string): string {
  const { updatedAt }: { updatedAt?: unknown } = JSON.parse(json)
  return typeof updatedAt === 'string' ? updatedAt : ''
}

/** The sitemaps in a file that `sitemapPieces` filled. */
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
