/** A world in this process that changes, restarts, moves, and loses its connections or its history. For tests only. */
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { connect } from './connect.ts'
import type { Fetch } from './redirect.ts'

/** Entity types of the world, with their attributes. */
export interface Sol {
  entities: {
    'sol:moon': { mass?: number; kind?: string; orbit?: { days: number }; of?: { type: string; id: string } }
    'sol:planet': { rings?: number }
  }
  actions: object
}

const SCHEMA = {
  properties: {
    ...{ mass: { type: 'number' }, kind: { type: 'string', maxLength: 20 } },
    orbit: { type: 'object', properties: { days: { type: 'number' } } },
    of: { type: 'object', properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } },
  },
}
const PLANET = { properties: { rings: { type: 'number' } } }
const TYPES = [
  { type: 'sol:moon', schema: SCHEMA },
  { type: 'sol:planet', schema: PLANET },
]
const ORIGIN = 'https://sol.example'

/** Condition for moons with a mass greater than 1. */
export const HEAVY = {
  op: '>' as const,
  args: [{ property: 'mass' as const }, 1] as [{ property: 'mass' }, number],
}

/** A world whose requests are recorded, and whose connections can be broken. */
export class LiveWorld {
  /** Extensions that the world mounts when it is started again. */
  extensions = [query(), changes()]
  store = createMemoryStore({ search: memorySearch })
  /** Number of queries received. */
  queries = 0
  /** URL of the last request. */
  last = ''
  /** Search parameters of the last request for changes. */
  followed: Record<string, string> = {}
  /** Number of open event streams. */
  streams = 0
  /** Omits `offset` from answers to queries. */
  hidesOffset = false
  /** Called before each answer. May throw, or return another answer. */
  before: (url: string, headers: Headers) => unknown = () => {}
  #api = ORIGIN
  /** Handler of requests. */
  answer = this.#started()
  #cut = new AbortController()

  /** Connects a client that does not retry by itself. */
  connect() {
    return connect<Sol>(ORIGIN, { fetch: this.fetch, retries: 0 })
  }

  async moon(id: string, attributes: Sol['entities']['sol:moon']): Promise<void> {
    await this.store.write([{ put: { type: 'sol:moon', id, attributes } }])
  }

  async planet(id: string, rings: number): Promise<void> {
    await this.store.write([{ put: { type: 'sol:planet', id, attributes: { rings } } }])
  }

  async remove(type: string, id: string): Promise<void> {
    await this.store.write([{ delete: { type, id } }])
  }

  /** Breaks all connections. */
  breakAll(): void {
    this.#cut.abort(new TypeError('cut'))
    this.#cut = new AbortController()
  }

  /** Restarts the world over the same store. */
  restart(): void {
    this.breakAll()
    this.answer = this.#started()
  }

  /** Moves the API to another origin. */
  move(): void {
    this.#api = `https://api-${Math.trunc(Math.random() * 1e9)}.example`
    this.restart()
  }

  /** Restores the world: it has the same entities in another history. */
  async restore(): Promise<void> {
    const { store } = this
    this.store = createMemoryStore({ search: memorySearch })
    for (const { type } of TYPES) {
      const { entities } = await store.list(type, { limit: 1_000 })
      const puts = entities.map(({ json }) => ({ put: { ...JSON.parse(json), revision: undefined } }))
      if (puts.length > 0) await this.store.write(puts)
    }
    this.restart()
  }

  readonly fetch: Fetch = async (url, init) => {
    const { origin, pathname, searchParams } = new URL(url)
    this.last = url
    const isDocument = origin === ORIGIN && pathname.startsWith('/.well-known/')
    if (!isDocument && origin !== this.#api) throw new TypeError('no world at this origin')
    if (pathname.endsWith('/changes')) this.followed = Object.fromEntries(searchParams)
    if (pathname.includes('worldwright%3Aquery')) this.queries += 1
    const signal = AbortSignal.any([init.signal ?? [], this.#cut.signal].flat())
    const other = await this.before(url, new Headers(init.headers as Headers))
    if (other instanceof Response) return other
    const { body, status, headers } = await this.answer(new Request(url, { ...init, signal }))
    if (this.hidesOffset && url.includes('query'))
      return new Response((await new Response(body).text()).replace('"offset"', '"_"'), { status, headers })
    let open = headers.get('content-type')?.startsWith('text/event-stream') ? 1 : 0
    this.streams += open
    const closed = () => {
      this.streams -= open
      open = 0
    }
    return new Response(body && breakable(body, signal, closed), { status, headers })
  }

  #started() {
    const { store, extensions } = this
    const world = createWorld({
      id: 'urn:example:sol',
      types: TYPES,
      store,
      publicUrl: this.#api,
      extensions,
    })
    return toFetch(world)
  }
}

function breakable(body: ReadableStream<Uint8Array>, signal: AbortSignal, closed: () => void) {
  const reader = body.getReader()
  const cut = () => reader.cancel()
  const end = () => {
    signal.removeEventListener('abort', cut)
    closed()
  }
  signal.addEventListener('abort', cut)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await reader.read()
      if (value) return controller.enqueue(value)
      end()
      if (signal.aborted) controller.error(signal.reason)
      else if (done) controller.close()
    },
    cancel() {
      end()
      return cut()
    },
  })
}

/** Waits until `holds` returns true, for at most 20 seconds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds()); ) {
    if (Date.now() > end) throw new Error('the condition did not hold within two minutes')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
