/**
 * Worlds on ports of this machine: good ones that send the bytes of a served world, and twenty that are slow, broken, endless
 * or hostile. Run as a child process with `fork`, it reports its worlds and serves them until it is disconnected.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'

/** What the served world sent: its discovery document, and its answer to a search. */
export interface Sample {
  readonly document: { readonly world: object; readonly endpoints: object }
  readonly answer: object
}

/** Origins of the worlds, and for each bad one the state in which it must be named. */
export interface ManyWorlds {
  readonly good: readonly string[]
  readonly bad: readonly { readonly name: string; readonly state: string; readonly origin: string }[]
}

/** Time between two bytes of a slow body, in milliseconds. */
const DRIP_MS = 50
const JSON_TYPE = { 'content-type': 'application/json' }

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const silent: Answer = () => {}
const reset: Answer = (response) => response.destroy()

const drip: Answer = (response) => {
  response.writeHead(200, JSON_TYPE).write('{')
  const timer = setInterval(() => response.write(' '), DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

/** Sends a piece again and again, as fast as it is read, compressed if `gzip` is set. */
function endless(begin: string, piece: string, gzip = false): Answer {
  return (response) => {
    response.writeHead(200, { ...JSON_TYPE, ...(gzip && { 'content-encoding': 'gzip' }) })
    const pieces = piece.repeat(Math.ceil(65_536 / piece.length))
    const out = gzip ? createGzip() : response
    if (out !== response) out.pipe(response)
    const more = () => {
      while (!response.destroyed && out.write(pieces));
    }
    out.on('drain', more).on('error', () => {})
    out.write(begin)
    more()
  }
}

function sends(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => response.writeHead(status, { ...JSON_TYPE, ...headers }).end(text)
}

function redirects(status: number): Answer {
  return (response, { url }) => response.writeHead(status, { location: `${url}` }).end()
}

const FEW = Array.from({ length: 5000 }, (_, index) => ({ type: 'evil:hit', id: `${index}`, attributes: {} }))
const DEEP = `{"output":{"entities":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
const ODD = { entities: [null, 7, [], { type: 'a:b' }, { type: 1, id: {}, attributes: [] }], total: {} }

/** Bad worlds whose discovery document is at fault. */
const NO_WORLDS: Record<string, [state: string, Answer]> = {
  silent: ['late', silent],
  dripping: ['late', drip],
  endless: ['broken', endless('{"protocol":"', 'world/0.1')],
  loop: ['not_a_world', redirects(302)],
  reset: ['unreachable', reset],
  page: ['not_a_world', sends(200, '<!doctype html>', { 'content-type': 'text/html' })],
  down: ['unreachable', sends(503, '')],
  closed: ['unreachable', reset],
}

/** Bad worlds whose discovery document is that of a good one. */
const BAD_WORLDS: Record<string, [state: string, Answer]> = {
  'silent answer': ['late', silent],
  'dripping answer': ['late', drip],
  'endless answer': ['broken', endless('{"output":"', 'x')],
  'a million hits': [
    'broken',
    endless('{"output":{"entities":[', '{"type":"a:b","id":"x","attributes":{}},'),
  ],
  'compressed spaces': ['broken', endless('{"output":{"entities":[', ' ', true)],
  'more hits than asked': ['answered', sends(200, { output: { entities: FEW, total: 1e300 } })],
  'API loop': ['broken', redirects(308)],
  'reset answer': ['unreachable', reset],
  limited: ['refused', sends(429, { code: 'rate_limited', message: 'Later.' }, { 'retry-after': '3600' })],
  'wrong types': ['partial', sends(200, { output: ODD })],
  'deep answer': ['partial', sends(200, DEEP)],
  thief: ['answered', sends(200, { output: { entities: FEW } })],
}

async function started(listener: (origin: string) => RequestListener): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.on('request', listener(origin))
  return origin
}

/** Starts `count` good worlds with the bytes of the sample, and the twenty bad ones. */
export async function startManyWorlds({ document, answer }: Sample, count: number): Promise<ManyWorlds> {
  const documentOf = (origin: string, id: string) =>
    JSON.stringify({ ...document, world: { ...document.world, id }, endpoints: { api: `${origin}/api` } })
  const world = (id: (origin: string) => string, reply: Answer) =>
    started((origin) => {
      const own = documentOf(origin, id(origin))
      return (request, response) => {
        if (request.url === '/.well-known/world.json') sends(200, own)(response, request)
        else reply(response, request)
      }
    })
  const reply = sends(200, answer)
  const good: string[] = []
  while (good.length < count) good.push(await world((origin) => `urn:${origin}`, reply))
  const bad: ManyWorlds['bad'][number][] = []
  for (const [name, [state, answer]] of Object.entries(NO_WORLDS)) {
    const origin = await started(() => (request, response) => answer(response, request))
    bad.push({ name, state, origin: name === 'closed' ? 'http://127.0.0.1:1' : origin })
  }
  for (const [name, [state, answer]] of Object.entries(BAD_WORLDS)) {
    const id = (origin: string) => `urn:${name === 'thief' ? good[0] : origin}`
    bad.push({ name, state, origin: await world(id, answer) })
  }
  return { good, bad }
}

/** Returns what a served world sends: its discovery document, and its answer to a search with the default limit. */
export async function sampleOf(origin: string, text: string): Promise<Sample> {
  const document = Object(await (await fetch(`${origin}/.well-known/world.json`)).json())
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ input: { text, limit: 20 } })
  const answer = await fetch(`${document.endpoints.api}/actions/wp%3Adiscover`, {
    method: 'POST',
    headers,
    body,
  })
  return { document, answer: Object(await answer.json()) }
}

/** Returns all origins, with a bad one after every nine good ones. */
export function mixed({ good, bad }: ManyWorlds): string[] {
  const each = good.length / bad.length
  return bad.flatMap(({ origin }, index) => [...good.slice(index * each, (index + 1) * each), origin])
}

if (import.meta.main) {
  process.once('message', async ({ sample, count }: { sample: Sample; count: number }) =>
    process.send?.(await startManyWorlds(sample, count)),
  )
  process.once('disconnect', () => process.exit())
}
