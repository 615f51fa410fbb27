/**
 * A client that keeps every rule, and can be told to break one: `client.ts --break=NAME show ORIGIN --json`.
 * Its own code, over node:http, so that nothing is normalised on the way.
 */
import { request } from 'node:http'

const [flag = '', command = '', typed = '', ...rest] = process.argv.slice(2)
const broken = flag.replace('--break=', '')
const is = (name: string) => broken === name
const TIMEOUT_MS = 3_000
const MOST_BYTES = 4_000_000
const WELL_KNOWN = '/.well-known/world.json'

type Json = Record<string, unknown>

interface Answer {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
}

class Failed extends Error {
  readonly error: Json

  constructor(status: number, code: string, url: string, details: unknown = {}) {
    super(code)
    this.error = { status, code, details, url }
  }
}

function fail(status: number, code: string, url: string, details?: unknown): never {
  throw new Failed(status, code, url, details)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Call {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** One request, as written. */
function send(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  const [, host = '', path = '/'] = /^http:\/\/([^/]+)(\/.*)?$/.exec(url) ?? []
  const [hostname, port] = host.split(':')
  return new Promise((resolve, reject) => {
    const refuse = (status: number, code: string) => reject(new Failed(status, code, url))
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length <= MOST_BYTES || is('reads-all')) return
        refuse(0, 'response_too_large')
        sent.destroy()
      })
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text, location: response.headers.location })
      })
      response.on('aborted', () =>
        is('truncated-ok')
          ? resolve({ status: 200, text: '{}', location: undefined })
          : refuse(0, 'network_error'),
      )
    })
    const timer = setTimeout(() => {
      if (!is('waits')) refuse(0, 'timeout')
      if (!is('waits')) sent.destroy()
    }, TIMEOUT_MS)
    timer.unref()
    sent.on('error', () => refuse(is('no-status-0') ? 500 : 0, 'network_error'))
    sent.end(body)
  })
}

/** The origin of a typed address. */
function originOf(): string {
  const full = /^[a-z]+:\/\//.test(typed) || is('no-scheme') ? typed : `http://${typed}`
  const origin = is('no-well-known') ? full : full.replace(WELL_KNOWN, '')
  if (is('any-origin')) return new URL(full).origin
  if (!/^http:\/\/[^/@?#]+\/?$/.test(origin)) fail(0, 'invalid_argument', '')
  return origin.replace(/\/$/, '')
}

async function discover(fresh: boolean): Promise<Json> {
  const url = originOf() + WELL_KNOWN
  if (is('guess-first')) await send(`${originOf()}/api/world/v0/`).catch(() => undefined)
  const accept: Record<string, string> = is('no-accept-discovery') ? {} : { accept: 'application/json' }
  const cache: Record<string, string> = fresh && !is('cached') ? { 'cache-control': 'no-cache' } : {}
  const { text } = await send(url, {
    headers: { ...accept, ...cache, ...(is('token-everywhere') ? token() : {}) },
  })
  const document = parse(text)
  const none = is('not-a-world') ? 'invalid_response' : 'not_a_world'
  if (!isObject(document) || typeof document['protocol'] !== 'string') fail(200, none, url)
  const { protocol } = document
  if (protocol !== 'world/0.1' && !is('any-protocol'))
    fail(200, 'unsupported_protocol', url, { offered: protocol, supported: ['world/0.1'] })
  if (is('needs-world-id') && !isObject(document['world'])) fail(200, 'invalid_response', url)
  return document
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function apiOf(document: Json): string {
  const api = isObject(document['endpoints']) ? document['endpoints']['api'] : undefined
  if (is('same-origin')) return originOf() + new URL(String(api)).pathname
  if (is('builtin-route')) return `${originOf()}/api/world/v0`
  if (is('any-endpoint'))
    return typeof api === 'string' && /^http/.test(api) ? api : `${originOf()}/api/world/v0`
  if (typeof api !== 'string' || !/^https?:\/\/[^@?#]+$/.test(api)) fail(200, 'invalid_response', originOf())
  if (is('normalise')) return api.toLowerCase()
  return api
}

function token(): Record<string, string> {
  const own = process.env['WORLD_TOKEN']
  if (own === undefined) return {}
  return { authorization: is('token-scheme') ? `Token ${own}` : `Bearer ${own}` }
}

/** The URL of a route. */
function join(api: string, route: string): string {
  if (is('resolve-url')) return new URL(route, api).href
  return api.endsWith('/') && !is('double-slash') ? api + route : `${api}/${route}`
}

/** Calls a route, and once more where the API has moved. */
async function call(route: string, options: Call = {}): Promise<unknown> {
  let document = await discover(false)
  for (let again = false; ; again = true) {
    const api = apiOf(document)
    const answered = await once(join(api, route), options).catch((error: unknown) => error)
    if (!(answered instanceof Failed)) return answered
    const { status, code } = answered.error
    const gone =
      code === 'api_moved' || code === 'http_404' || (code === 'network_error' && !is('no-status-0'))
    const told = is('reads-message') && /moved/.test(String(answered.error['told']))
    if (is('guess-v1') && status === 404) await send(`${originOf()}/api/v1/${route}`).catch(() => undefined)
    if (!(gone || told) || is('no-rediscovery') || (again && !is('follows-on'))) throw answered
    const second = await discover(true)
    if (is('rediscovers-twice')) await discover(true)
    if (!is('any-world-id') && !sameWorld(document, second)) fail(0, 'world_mismatch', api)
    if (apiOf(second) === api) throw answered
    document = second
    if (is('follows-on') && ++hops > 5) throw answered
  }
}

let hops = 0

function sameWorld(first: Json, second: Json): boolean {
  const id = ({ world }: Json) => (isObject(world) ? String(world['id']) : '')
  return is('id-ignores-case')
    ? id(first).toLowerCase() === id(second).toLowerCase()
    : id(first) === id(second)
}

async function once(url: string, options: Call): Promise<unknown> {
  const secret = token()
  if (secret['authorization'] && !url.startsWith('http://127.0.0.1') && !is('insecure'))
    fail(0, 'insecure_endpoint', url)
  const accept: Record<string, string> = is('no-accept') ? {} : { accept: 'application/json' }
  let answer = await send(url, { ...options, headers: { ...accept, ...secret, ...options.headers } })
  if (answer.location !== undefined && is('redirects-with-token'))
    answer = await send(answer.location, { headers: { ...accept, ...secret } })
  const body = parse(answer.text)
  if (answer.status >= 300) {
    const code = isObject(body) && typeof body['code'] === 'string' ? body['code'] : `http_${answer.status}`
    const details = isObject(body) ? body['details'] : undefined
    const failed = new Failed(answer.status, is('html-code') ? 'http_error' : code, is('no-url') ? '' : url)
    failed.error['details'] = details ?? (is('null-details') ? null : {})
    failed.error['told'] = isObject(body) ? body['message'] : ''
    throw failed
  }
  if (body === undefined && !is('bad-json')) fail(answer.status, 'invalid_response', url)
  return body
}

function component(text: string): string {
  if (is('raw-colon')) return encodeURIComponent(text).replace('%3A', ':')
  const once = encodeURIComponent(text)
  return is('double-encode') ? encodeURIComponent(once).replaceAll('%253A', '%3A') : once
}

async function get(): Promise<void> {
  const [type = '', id = ''] = rest
  const dots = /(^|[/\\])\.{1,2}($|[/\\])/.test(id) && !is('sends-dots')
  const control = /\p{Cc}/u.test(id) && !is('sends-control')
  if ((id === '' && !is('sends-empty')) || dots || control) fail(0, 'invalid_argument', '')
  const entity = await call(`entities/${component(type)}/${component(id)}`)
  print(is('known-members') && isObject(entity) ? { type: entity['type'], id: entity['id'] } : entity)
}

function option(name: string): string[] {
  return rest.flatMap((word, index) => (word === name ? [rest[index + 1] ?? ''] : []))
}

function listIn(body: unknown): unknown[] {
  const own = isObject(body) ? body : {}
  const names = is('own-names') ? ['entities'] : ['entities', 'items', 'results', 'data', 'matches']
  const found = names.map((name) => own[name]).find(Array.isArray)
  if (found !== undefined) return found
  if (is('no-list-is-empty')) return []
  fail(200, 'invalid_response', '', { members: Object.keys(own) })
}

async function list(): Promise<void> {
  const type = component(is('lowercase-type') ? (rest[0] ?? '').toLowerCase() : (rest[0] ?? ''))
  const [limit] = option('--limit')
  const seen = new Set<string>()
  let cursor: string | undefined = ''
  for (let first = true; cursor !== undefined; first = false) {
    const own: string = is('trims-cursor') ? cursor.trim() : cursor
    const pairs: string[] = [
      ...(limit === undefined ? [] : [`limit=${is('limit-float') ? `${limit}.0` : limit}`]),
      ...(first ? [] : [`cursor=${encodeURIComponent(own)}`]),
    ]
    const body: unknown = await call(`entities/${type}${pairs.length ? '?' : ''}${pairs.join('&')}`).catch(
      (error) => {
        if (is('cuts-short') && !first) return { entities: [] }
        throw error
      },
    )
    const entities = listIn(body)
    for (const entity of entities) print(entity)
    const names = is('own-cursor-name') ? ['nextCursor'] : ['nextCursor', 'next_cursor', 'next', 'cursor']
    const next: unknown = names.map((name) => (body as Json)[name]).find((value) => typeof value === 'string')
    cursor = is('short-is-last') && entities.length < 50 ? undefined : (next as string | undefined)
    if (cursor !== undefined && seen.has(cursor)) {
      if (is('ends-in-circles')) return
      fail(200, 'pagination_loop', '')
    }
    if (cursor !== undefined) seen.add(cursor)
  }
}

async function search(): Promise<void> {
  const words = rest.filter(
    (word, index) => !word.startsWith('--') && !rest[index - 1]?.match(/^--(type|limit)$/),
  )
  const types = option('--type')
  const [limit] = option('--limit')
  const input = {
    ...(types.length > 0 && { types: is('types-string') ? types.join() : types }),
    ...(words.length > 0 && { [is('query-text') ? 'query' : 'text']: words.join(' ') }),
    ...(limit !== undefined && { limit: is('limit-string') ? limit : Number(limit) }),
  }
  const type: Record<string, string> = is('no-content-type') ? {} : { 'content-type': 'application/json' }
  const coding: Record<string, string> = is('coded-body') ? { 'content-encoding': 'identity' } : {}
  const body = await call('actions/wp%3Adiscover', {
    method: 'POST',
    headers: { ...type, ...coding },
    body: JSON.stringify(is('no-wrapper') ? input : { input }),
  })
  const output = is('no-envelope') ? body : (body as Json)['output']
  for (const entity of is('no-envelope') ? (((body as Json)['entities'] as unknown[]) ?? []) : listIn(output))
    print(entity)
}

async function show(): Promise<void> {
  const document = await discover(false)
  apiOf(document)
  if (is('drops-unknown')) print({ protocol: document['protocol'], endpoints: document['endpoints'] })
  else print(document)
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

const commands: Record<string, () => Promise<void>> = { show, get, list, discover: search }
try {
  await commands[command]?.()
} catch (thrown) {
  if (!(thrown instanceof Failed)) throw thrown
  delete thrown.error['told']
  process.stderr.write(
    is('no-error-object') ? 'It failed.\n' : `It failed.\n${JSON.stringify(thrown.error)}\n`,
  )
  process.exitCode = 1
}
