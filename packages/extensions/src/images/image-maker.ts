/** Makes share images as PNG in a thread of its own, so that drawing delays no request. */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { overloaded, type WorldResponse } from '@worldwright/core'
import type { Drawing } from './drawing.ts'

/** Packages that draw. They are optional, so that a world can do without their size. */
const PACKAGES = ['@resvg/resvg-wasm', 'dejavu-fonts-ttf/package.json']
/** Maximum number of images that wait for the thread. A further one is refused. */
const MOST_WAITING = 16
/** Number of images kept, as writes elsewhere in the world change few of them. */
const KEPT = 64
/** Time after which an idle thread ends, in milliseconds, since it holds more than 100 MB. */
const IDLE_MS = 60_000
/** Time limit of one image, in milliseconds. Drawing takes a fraction of a second; beginning the thread takes longer. */
const LIMIT_MS = 30_000

/** Makes the images of one world. The thread runs only while it is needed. */
export class ImageMaker {
  /** Images by the hash of their drawing, the most recently requested last. */
  readonly #kept = new Map<string, Promise<Uint8Array>>()
  readonly #program: string
  #thread: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #idle: NodeJS.Timeout | undefined

  /** @param program path of the program of the thread */
  constructor(program: string) {
    this.#program = program
  }

  /** Returns the image as PNG. Equal drawings at the same time are drawn once. @throws WorldFault if too many wait */
  png(drawing: Drawing): Promise<Uint8Array> {
    const key = hash('sha256', JSON.stringify(drawing))
    const image = this.#kept.get(key) ?? this.#inTurn(drawing)
    this.#kept.delete(key)
    this.#kept.set(key, image)
    image.catch(() => this.#kept.delete(key))
    for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest)
    return image
  }

  /** Returns the answer with an image, kept like a page: until the store changes. @throws WorldFault as `png` does */
  async answer(drawing: Drawing): Promise<WorldResponse> {
    const body = await this.png(drawing)
    const headers = {
      'content-type': 'image/png',
      'cache-control': 'public, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
    }
    return { status: 200, headers, body, cacheable: {} }
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  async #inTurn(drawing: Drawing): Promise<Uint8Array> {
    if (this.#waiting >= MOST_WAITING) throw overloaded()
    this.#waiting += 1
    const turn = this.#last.then(() => this.#drawn(drawing))
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      this.#waiting -= 1
    }
  }

  async #drawn(drawing: Drawing): Promise<Uint8Array> {
    clearTimeout(this.#idle)
    this.#thread ??= new Worker(this.#program).on('error', () => this.#end())
    // Keeps the process running until the image is there.
    this.#thread.ref()
    try {
      const image = once(this.#thread, 'message', { signal: AbortSignal.timeout(LIMIT_MS) })
      this.#thread.postMessage(drawing)
      const [png] = await image
      this.#thread.unref()
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
      return png
    } catch (error) {
      this.#end()
      throw error
    }
  }

  #end(): void {
    void this.#thread?.terminate()
    this.#thread = undefined
  }
}

/** Path of the program of the thread. Undefined, or of no file, if this program was bundled. */
const program = import.meta.filename?.replace(/image-maker(\.[jt]s)$/, 'drawing-program$1')

/** Returns a maker of images, or undefined if a file that it needs is missing. @param resolve finds a module */
export function createImageMaker(resolve?: (name: string) => string): ImageMaker | undefined {
  if (program === undefined) return undefined
  try {
    const find = resolve ?? createRequire(import.meta.url).resolve
    for (const name of [...PACKAGES, program]) find(name)
  } catch {
    return undefined
  }
  return new ImageMaker(program)
}
