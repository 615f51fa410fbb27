/** The world under test: its address, its options, and requests to it. */
import type { Names, ReadingProfile } from '@worldwright/client/foreign'
import { defineCheck, Failure, NotAsked } from '../check/check.ts'
import { Exchange } from '../http/exchange.ts'
import { demand, expectObject } from '../http/expect.ts'
import { createWire, type Wire } from '../http/wire.ts'
import { at, type JsonObject } from '../json/json.ts'

/** Facts about the world that the caller knows, and limits for the requests to it. */
export interface TargetOptions {
  /** The entity type under test. Default: the first type in the discovery document that has an entity. */
  readonly type?: string
  /** The id of the entity under test, which must have that type. Default: the first id in the list of the type. */
  readonly id?: string
  /** An id that no entity of that type has. Default: an improbable id. */
  readonly missingId?: string
  /** Member names in a world whose shapes the kit does not recognise. */
  readonly names?: Names
  /** Member names found or given before. Those in `names` take precedence. */
  readonly reading?: ReadingProfile
  /** Token sent as `Authorization: Bearer` to an API on the world's own origin or on one of `tokenOrigins`. */
  readonly token?: string
  /** Further origins that may receive the token. */
  readonly tokenOrigins?: readonly string[]
  /** Former path of the API on the world's origin. */
  readonly retiredPrefix?: string
  /** If true, waits as long as a server is allowed to take to end a stalled request. */
  readonly slow?: boolean
  /** Response timeout, in milliseconds. Default 10,000. */
  readonly timeout?: number
  /** Maximum number of requests per run. Default 2,000. */
  readonly maxRequests?: number
  /** Aborts the run. Results of finished checks have been yielded by then. */
  readonly signal?: AbortSignal | undefined
  /** Reports whether a connection to an address may be opened. Default: to any. */
  readonly allowAddress?: (address: string) => boolean
  /** Transport for requests. Default: plain sockets. */
  readonly wire?: Wire
}

/** Options for a single request. A header that is undefined is not sent, even if it is sent by default. */
export interface RequestInit {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string | Buffer
}

/** The discovery document and its exchange. */
export interface Discovered {
  readonly exchange: Exchange
  readonly document: JsonObject
}

const WELL_KNOWN = '/.well-known/world.json'
const MAX_REDIRECTS = 5
const MISSING_ID = 'conformance-no-such-entity-7f3a9c'
const USER_AGENT = 'world-conformance/0.1'
const TIMEOUT_MS = 10_000
const MAX_REQUESTS = 2_000

/** The world under test, shared by all checks of a run. Caches what the checks find out about it. */
export class Target {
  readonly origin: string
  readonly options: TargetOptions
  readonly #wire: Wire
  readonly #known = new Map<string, Promise<unknown>>()
  /** Every exchange of the run so far, in order. */
  readonly seen: Exchange[] = []
  #closed = false

  constructor(origin: string, options: TargetOptions = {}) {
    this.origin = new URL(origin).origin
    this.options = options
    this.#wire = options.wire ?? createWire(options.allowAddress)
    options.signal?.addEventListener('abort', this.close)
  }

  get missingId(): string {
    return this.options.missingId ?? MISSING_ID
  }

  /** Runs `work` for the first call with `key`. Later calls get the same promise. */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) ?? work()
    this.#known.set(key, known)
    return known as Promise<T>
  }

  /** Sends a request to a path on the world's origin. */
  atOrigin(target: string, init: RequestInit = {}): Promise<Exchange> {
    return this.#request(this.origin, target, init)
  }

  /** Sends a request to an API route, which is relative to `endpoints.api`. */
  async call(route: string, init: RequestInit = {}): Promise<Exchange> {
    const { origin, path } = await this.api()
    const { token } = this.options
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return this.#request(origin, path + route, { ...init, headers: { ...authorization, ...init.headers } })
  }

  /** Sends a request to a URL. Only below the API it carries the token. Another origin than the world's is refused. */
  async follow(url: string, init: RequestInit = {}): Promise<Exchange> {
    const { origin, path } = await this.api()
    const at = new URL(url)
    const target = at.pathname + at.search
    if (at.origin === origin && target.startsWith(path)) return this.call(target.slice(path.length), init)
    if (![origin, this.origin].includes(at.origin)) throw new NotAsked(`${url} is on another origin`)
    return this.#request(at.origin, target, init)
  }

  /** Calls the discovery action. A `body` that is a string or a Buffer is sent unchanged; any other is sent as JSON. */
  discover(body: unknown, headers: RequestInit['headers'] = {}, route = 'actions/wp%3Adiscover') {
    return this.call(route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    })
  }

  /** Calls the discovery action with a raw request: `rest` contains everything after the Content-Type header. */
  async rawDiscover(rest: string): Promise<Exchange> {
    const { path, origin } = await this.api()
    return this.raw(
      `POST ${path}actions/wp%3Adiscover HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n${this.tokenLine}` +
        `Content-Type: application/json\r\n${rest}`,
    )
  }

  /** Authorization header line for raw requests; empty without a token. */
  get tokenLine(): string {
    const { token } = this.options
    return token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  }

  /** Sends raw bytes to the origin of the API over a new connection. */
  async raw(bytes: string | Buffer, timeout?: number): Promise<Exchange> {
    const { origin } = await this.api()
    return this.#send(origin, Buffer.from(bytes as string, 'latin1'), { timeout, alone: true })
  }

  /** Aborts running requests and refuses further ones. */
  readonly close = (): void => {
    this.#closed = true
    this.#wire.close()
    this.options.signal?.removeEventListener('abort', this.close)
  }

  /** Returns the response to the plain discovery request, which is sent once per run. */
  discovery(): Promise<Exchange> {
    return this.once('discovery', () => this.discoverAgain())
  }

  /** Requests the discovery document, and follows redirects as any HTTP client does. */
  async discoverAgain(init: RequestInit = {}): Promise<Exchange> {
    let exchange = await this.atOrigin(WELL_KNOWN, init)
    for (let hops = 0; hops < MAX_REDIRECTS && /^30[12378]$/.test(exchange.outcome); hops += 1) {
      const next = URL.parse(exchange.header('location') ?? '', exchange.origin + WELL_KNOWN)
      if (next === null || !/^https?:$/.test(next.protocol)) break
      exchange = await this.#request(next.origin, next.pathname + next.search, init)
    }
    return exchange
  }

  /** Returns the discovery document. Throws NotAsked if there is none; the checks of L1-routes-1 report that fault. */
  async document(): Promise<Discovered> {
    const exchange = await this.discovery()
    try {
      return { exchange, document: expectObject(exchange) }
    } catch (thrown) {
      if (thrown instanceof Failure)
        throw new NotAsked('there is no discovery document to go by', { after: 'L1-routes-1.a' })
      throw thrown
    }
  }

  /** Returns the address in `endpoints.api`. Throws NotAsked if it is invalid or the token must not be sent there. */
  async api(): Promise<{ url: string; origin: string; path: string }> {
    const { document } = await this.document()
    const url = at(document, ['endpoints', 'api'])
    const parsed = typeof url === 'string' && /^https?:\/\//i.test(url) ? URL.parse(url) : null
    if (typeof url !== 'string' || parsed === null) {
      const reason = 'the discovery document has no absolute http URL in endpoints.api'
      throw new NotAsked(reason, { after: 'L1-discovery-3.a' })
    }
    const { token, tokenOrigins = [] } = this.options
    const { origin, protocol, hostname } = parsed
    const isOpen = protocol === 'http:' && !/^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
    if (token !== undefined && (isOpen || ![this.origin, ...tokenOrigins].includes(origin)))
      throw new NotAsked(`the token may not go to the API at ${origin}`, { option: '--token-origin' })
    // Use the path exactly as it is in the document; a URL parser would normalise it.
    const written = url.replace(/^https?:\/\/[^/?#]*/i, '')
    return { url, origin, path: written.endsWith('/') ? written : `${written}/` }
  }

  async #request(origin: string, target: string, init: RequestInit): Promise<Exchange> {
    const { method = 'GET', body } = init
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(body as string)
    const length = body === undefined ? {} : { 'content-length': String(bytes.length) }
    const fields: RequestInit['headers'] = {
      host: new URL(origin).host,
      'user-agent': USER_AGENT,
      accept: 'application/json',
      ...length,
      ...init.headers,
    }
    const given = Object.entries(fields).filter(([, value]) => value !== undefined)
    const head = given.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const sent = Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`), bytes])
    return this.#send(origin, sent, { bodyless: method === 'HEAD' })
  }

  async #send(
    origin: string,
    bytes: Buffer,
    options: { timeout?: number | undefined; bodyless?: boolean; alone?: boolean },
  ): Promise<Exchange> {
    if (this.#closed) throw new Failure('the run has ended')
    const most = this.options.maxRequests ?? MAX_REQUESTS
    const refused = new Exchange(origin, bytes, undefined, `not sent: the run is limited to ${most} requests`)
    demand(this.seen.length < most, `the run is limited to ${most} requests`, refused)
    const timeout = options.timeout ?? this.options.timeout ?? TIMEOUT_MS
    const exchange = await this.#wire.send(origin, bytes, { ...options, timeout })
    this.seen.push(exchange)
    return exchange
  }
}

/** Defines a server check, which runs against a `Target`. */
export const check = defineCheck<Target>

/** Percent-encodes a path component, including its colons. */
export function component(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escaped)
}

/** Percent-encodes every UTF-8 byte of `text`. */
export function escaped(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replaceAll(/../g, '%$&')
}

/** Returns `text` with each ASCII letter in the other case. */
export function otherCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()))
}
