/** A client that keeps every rule, and can be set to break one. It shares no code with the client package. */

import type { ClientFunction } from '../../src/client/runner.ts'
import { isObject, type JsonObject } from '../../src/json/json.ts'
import { type Breaks, Failed, fail, parse } from './breaks.ts'
import { FAULTS, type Hooks } from './faults.ts'
import { errorIn, listIn, nextIn, readTypes } from './foreign.ts'
import { type Answer, type Call, send } from './http.ts'

const WELL_KNOWN = '/.well-known/world.json'

/** Returns a client that breaks the rule of this name; `none` breaks none. Each call of it is one run of the command. */
export function referenceClient(broken: string): ClientFunction {
  const memory = new Map<string, string>()
  return async (args, { env, signal }) => {
    const hooks = FAULTS[broken]?.(memory) ?? {}
    const given = hooks.args?.(args) ?? args
    const client = new Client((name) => broken === name, given, env['WORLD_TOKEN'], signal, hooks)
    const output = await client.run()
    return hooks.output?.(output) ?? output
  }
}

class Client {
  readonly #is: Breaks
  readonly #command: string
  readonly #typed: string
  readonly #rest: readonly string[]
  readonly #token: string | undefined
  readonly #signal: AbortSignal
  readonly #hooks: Hooks
  #printed = ''
  #hops = 0

  constructor(
    is: Breaks,
    args: readonly string[],
    token: string | undefined,
    signal: AbortSignal,
    hooks: Hooks,
  ) {
    const [command = '', typed = '', ...rest] = args
    this.#is = is
    this.#command = command
    this.#typed = typed
    this.#rest = rest
    this.#token = token
    this.#signal = signal
    this.#hooks = hooks
  }

  async run() {
    const commands: Record<string, () => Promise<void>> = {
      show: () => this.#show(),
      get: () => this.#get(),
      list: () => this.#list(),
      discover: () => this.#search(),
    }
    try {
      await commands[this.#command]?.()
      return { exitCode: 0, stdout: this.#printed, stderr: '' }
    } catch (thrown) {
      if (!(thrown instanceof Failed)) return { exitCode: 1, stdout: '', stderr: `${thrown}\n` }
      delete thrown.error['told']
      const last = this.#is('no-error-object') ? '' : `${JSON.stringify(thrown.error)}\n`
      return { exitCode: 1, stdout: this.#printed, stderr: `It failed.\n${last}` }
    }
  }

  #send(url: string, call: Call = {}): Promise<Answer> {
    const next = (url: string, call: Call) => send(url, call, this.#is, this.#signal)
    return this.#hooks.send?.(url, call, next) ?? next(url, call)
  }

  /** Returns the origin of a typed address. */
  #origin(): string {
    const is = this.#is
    const typed = this.#typed
    const full = /^[a-z]+:\/\//.test(typed) || is('no-scheme') ? typed : `http://${typed}`
    const origin = is('no-well-known') ? full : full.replace(WELL_KNOWN, '')
    if (is('any-origin')) return new URL(full).origin
    if (!/^http:\/\/[^/@?#]+\/?$/.test(origin)) fail(0, 'invalid_argument', '')
    return origin.replace(/\/$/, '')
  }

  async #document(fresh: boolean): Promise<JsonObject> {
    const is = this.#is
    const url = this.#origin() + WELL_KNOWN
    if (is('guess-first')) await this.#send(`${this.#origin()}/api/world/v0/`).catch(() => undefined)
    const accept: Record<string, string> = is('no-accept-discovery') ? {} : { accept: 'application/json' }
    const cache: Record<string, string> = fresh && !is('cached') ? { 'cache-control': 'no-cache' } : {}
    const answer = await this.#send(url, { headers: { ...accept, ...cache } })
    const document = parse(answer.text)
    if (answer.status >= 300 && !is('ignores-discovery-status')) throw this.#failure(answer, document, url)
    const none = is('not-a-world') ? 'invalid_response' : 'not_a_world'
    if (!isObject(document) || typeof document['protocol'] !== 'string') fail(200, none, url)
    const { protocol } = document
    if (protocol !== 'world/0.1' && !is('any-protocol'))
      fail(200, 'unsupported_protocol', url, { offered: protocol, supported: ['world/0.1'] })
    if (is('needs-world-id') && !isObject(document['world'])) fail(200, 'invalid_response', url)
    readTypes(document, url, is)
    return document
  }

  #api(document: JsonObject): string {
    const is = this.#is
    const origin = this.#origin()
    const api = isObject(document['endpoints']) ? document['endpoints']['api'] : undefined
    if (is('same-origin')) return origin + new URL(String(api)).pathname
    if (is('builtin-route')) return `${origin}/api/world/v0`
    if (is('any-endpoint'))
      return typeof api === 'string' && /^http/.test(api) ? api : `${origin}/api/world/v0`
    if (typeof api !== 'string' || !/^https?:\/\/[^@?#]+$/.test(api)) fail(200, 'invalid_response', origin)
    return is('normalise') ? api.toLowerCase() : api
  }

  #authorization(): Record<string, string> {
    if (this.#token === undefined) return {}
    return { authorization: this.#is('token-scheme') ? `Token ${this.#token}` : `Bearer ${this.#token}` }
  }

  /** Returns the URL of a route. */
  #join(api: string, route: string): string {
    if (this.#is('resolve-url')) return new URL(route, api).href
    return api.endsWith('/') && !this.#is('double-slash') ? api + route : `${api}/${route}`
  }

  /** Calls a route, and repeats the call if the API has moved. */
  async #call(route: string, options: Call = {}): Promise<unknown> {
    const is = this.#is
    let document = await this.#document(false)
    for (let again = false; ; again = true) {
      const api = this.#api(document)
      const answered = await this.#once(this.#join(api, route), options).catch((error: unknown) => error)
      if (!(answered instanceof Failed)) return answered
      const { status, code } = answered.error
      const gone =
        code === 'api_moved' || code === 'http_404' || (code === 'network_error' && !is('no-status-0'))
      const told = is('reads-message') && /moved/.test(String(answered.error['told']))
      if (is('guess-v1') && status === 404)
        await this.#send(`${this.#origin()}/api/v1/${route}`).catch(() => undefined)
      if (!(gone || told) || is('no-rediscovery') || (again && !is('follows-on'))) throw answered
      const second = await this.#document(true)
      if (is('rediscovers-twice')) await this.#document(true)
      if (!is('any-world-id') && !this.#same(document, second)) fail(0, 'world_mismatch', api)
      if (this.#api(second) === api) throw answered
      document = second
      this.#hops += 1
      if (is('follows-on') && this.#hops > 5) throw answered
    }
  }

  #same(first: JsonObject, second: JsonObject): boolean {
    const id = ({ world }: JsonObject) => (isObject(world) ? String(world['id']) : '')
    return this.#is('id-ignores-case')
      ? id(first).toLowerCase() === id(second).toLowerCase()
      : id(first) === id(second)
  }

  async #once(url: string, options: Call): Promise<unknown> {
    const is = this.#is
    const secret = this.#authorization()
    const isForeign = new URL(url).origin !== this.#origin() && !is('token-everywhere')
    const isPlain = !url.startsWith('http://127.0.0.1')
    if (secret['authorization'] && (isForeign || isPlain) && !is('insecure'))
      fail(0, 'insecure_endpoint', url)
    const accept: Record<string, string> = is('no-accept') ? {} : { accept: 'application/json' }
    let answer = await this.#send(url, { ...options, headers: { ...accept, ...secret, ...options.headers } })
    if (answer.location !== undefined && is('redirects-with-token'))
      answer = await this.#send(answer.location, { headers: { ...accept, ...secret } })
    const body = parse(answer.text)
    if (answer.status === 204 && is('empty-is-null')) return null
    if (answer.status >= 300) throw this.#failure(answer, body, url)
    if (body === undefined && !is('bad-json')) fail(answer.status, 'invalid_response', url)
    return body
  }

  #failure({ status }: Answer, body: unknown, url: string): Failed {
    const is = this.#is
    if (is('needs-error-json') && body === undefined) throw new TypeError('the body is no JSON')
    const error = errorIn(body, is)
    const own = error?.['code']
    if (is('needs-string-code') && typeof own === 'number') throw new TypeError('the code is no string')
    const known = typeof own === 'string' || (typeof own === 'number' && !is('text-codes'))
    const failed = new Failed(
      status,
      known ? String(own) : is('html-code') ? 'http_error' : `http_${status}`,
      url,
    )
    const { details } = error ?? {}
    const left = is('object-details') && !isObject(details) ? undefined : details
    failed.error['details'] = left ?? (is('null-details') ? null : {})
    failed.error['told'] = isObject(body) ? body['message'] : ''
    return failed
  }

  #component(text: string): string {
    if (this.#is('raw-colon')) return encodeURIComponent(text).replace('%3A', ':')
    const once = encodeURIComponent(text)
    return this.#is('double-encode') ? encodeURIComponent(once).replaceAll('%253A', '%3A') : once
  }

  async #get(): Promise<void> {
    const is = this.#is
    const [type = '', named = ''] = this.#rest
    const id = is('numeric-id') && /^\d+$/.test(named) ? String(Number(named)) : named
    const dots = /(^|[/\\])\.{1,2}($|[/\\])/.test(id) && !is('sends-dots')
    const control = /\p{Cc}/u.test(id) && !is('sends-control')
    if ((id === '' && !is('sends-empty')) || dots || control) fail(0, 'invalid_argument', '')
    const entity = await this.#call(`entities/${this.#component(type)}/${this.#component(id)}`)
    this.#print(is('known-members') && isObject(entity) ? { type: entity['type'], id: entity['id'] } : entity)
  }

  #option(name: string): string[] {
    return this.#rest.flatMap((word, index) => (word === name ? [this.#rest[index + 1] ?? ''] : []))
  }

  async #list(): Promise<void> {
    const is = this.#is
    const [named = ''] = this.#rest
    const type = this.#component(is('lowercase-type') ? named.toLowerCase() : named)
    const [limit = is('own-limit') ? '1000' : undefined] = this.#option('--limit')
    const seen = new Set<string>()
    let cursor: string | undefined = ''
    let read = 0
    for (let first = true; cursor !== undefined; first = false) {
      const text: string = is('trims-cursor') ? cursor.trim() : cursor
      const own: string = is('numeric-cursor') && /^\d+$/.test(text) ? String(Number(text)) : text
      const pairs: string[] = [
        ...(limit === undefined ? [] : [`limit=${is('limit-float') ? `${limit}.0` : limit}`]),
        ...(first ? [] : [`cursor=${encodeURIComponent(own)}`]),
      ]
      const route = `entities/${type}${pairs.length ? '?' : ''}${pairs.join('&')}`
      const body: unknown = await this.#call(route).catch((error) => {
        if ((is('cuts-short') && !first) || is('refused-is-empty')) return { entities: [] }
        throw error
      })
      const entities = listIn(body, is)
      for (const entity of entities) this.#print(entity)
      if (is('needs-own-id') && !entities.every((entity) => isObject(entity) && 'id' in entity))
        fail(200, 'invalid_response', '')
      cursor = nextIn(body, entities, read, is)
      read += entities.length
      if (cursor !== undefined && seen.has(cursor) && !is('walks-for-ever')) {
        if (is('ends-in-circles')) return
        fail(200, 'pagination_loop', '')
      }
      if (cursor !== undefined) seen.add(cursor)
    }
  }

  async #search(): Promise<void> {
    const is = this.#is
    const words = this.#rest.filter(
      (word, index) => !word.startsWith('--') && !this.#rest[index - 1]?.match(/^--(type|limit)$/),
    )
    const types = this.#option('--type')
    const [limit] = this.#option('--limit')
    const input = {
      ...(is('null-members') && { types: null, limit: 0 }),
      ...(types.length > 0 && { types: is('types-string') ? types.join() : types }),
      ...(words.length > 0 && { [is('query-text') ? 'query' : 'text']: words.join(' ') }),
      ...(limit !== undefined && { limit: is('limit-string') ? limit : Number(limit) }),
    }
    const type: Record<string, string> = is('no-content-type') ? {} : { 'content-type': 'application/json' }
    const coding: Record<string, string> = is('coded-body') ? { 'content-encoding': 'identity' } : {}
    const body = await this.#call('actions/wp%3Adiscover', {
      method: 'POST',
      headers: { ...type, ...coding },
      body: JSON.stringify(is('no-wrapper') ? input : { input }),
    }).catch((error) => {
      if (is('refused-finds-nothing')) return { output: { entities: [] } }
      throw error
    })
    const output = is('no-envelope') ? body : (body as JsonObject)['output']
    const own = is('no-envelope')
      ? (((body as JsonObject)['entities'] as unknown[]) ?? [])
      : listIn(output, is)
    for (const entity of own) this.#print(entity)
  }

  async #show(): Promise<void> {
    const document = await this.#document(false)
    this.#api(document)
    const shown = { protocol: document['protocol'], endpoints: document['endpoints'] }
    this.#print(this.#is('drops-unknown') ? shown : document)
  }

  #print(value: unknown): void {
    this.#printed += `${JSON.stringify(value)}\n`
  }
}
