/** What one answer costs: each kind of request against `node:http` giving the same bytes, and against other servers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchStore, idOf, TYPE } from './data.ts'
import { type Effort, microsOf, ratio, rounds, SERVER_CORE, type Spread } from './measure.ts'
import { type Server, startFixed, startNginx } from './servers.ts'

/** One line of the result. */
export interface Line {
  readonly question: string
  /** What we hold ourselves to, as text. */
  readonly bar: string
  readonly value: Spread
  /** Whether the median meets the bar; undefined if there is none. */
  readonly met?: boolean
  /** Medians in microseconds, ours and the other's. */
  readonly micros?: readonly [number, number]
}

interface Question {
  readonly name: string
  readonly path: string
  readonly bar: number
  readonly cacheBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly perSecond: number
}

const API = '/api/world/v0'
const ENTITY = `${API}/entities/${encodeURIComponent(TYPE)}/${idOf(4_321)}`
const PAGE = `${API}/entities/${encodeURIComponent(TYPE)}`
const CONNECTIONS = 16

const QUESTIONS: readonly Question[] = [
  { name: 'entity, from cache', path: ENTITY, bar: 0.85, perSecond: 5_000 },
  { name: 'entity, from the store', path: ENTITY, bar: 0.65, cacheBytes: 0, perSecond: 5_000 },
  {
    name: 'not modified (304)',
    path: ENTITY,
    bar: 0.9,
    headers: { 'If-None-Match': 'ETAG' },
    perSecond: 5_000,
  },
  { name: 'discovery document', path: '/.well-known/world.json', bar: 0.9, perSecond: 5_000 },
  { name: 'page of 50, from cache', path: PAGE, bar: 0.85, perSecond: 2_500 },
  { name: 'page of 50, from the store', path: PAGE, bar: 0.25, cacheBytes: 0, perSecond: 1_500 },
]

/** How many entities the questions are asked of. */
export const ENTITIES = 10_000

/** Measures every kind of answer against the baseline. */
export async function perRequest(effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const lines: Line[] = []
  for (const question of QUESTIONS) lines.push(await ask(question, store, effort))
  return lines
}

async function ask(question: Question, store: string, effort: Effort): Promise<Line> {
  const settings = {
    store,
    ...(question.cacheBytes === undefined ? {} : { cacheBytes: question.cacheBytes }),
  }
  const ours = await startFixed('worldwright', 'world-server.ts', JSON.stringify(settings), SERVER_CORE)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const headers = await withTag(ours, question)
  const answer = await answerOf(ours, question.path, headers)
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify(answer))
  const baseline = await startFixed('node:http', 'baseline.ts', file, SERVER_CORE)
  try {
    const plan = {
      requests: [requestText(question.path, headers)],
      perSecond: question.perSecond,
      connections: CONNECTIONS,
    }
    const samples = await rounds([ours, baseline], () => plan, String(answer.status), effort)
    const value = ratio(samples, ours, baseline)
    return {
      question: question.name,
      bar: `≥ ${question.bar}`,
      value,
      met: value.median >= question.bar,
      micros: [microsOf(samples, ours), microsOf(samples, baseline)],
    }
  } finally {
    await Promise.all([ours.stop(), baseline.stop()])
    rmSync(folder, { recursive: true })
  }
}

/** Our entity from the cache against each peer serving the same one, and against nginx serving it as a file. */
export async function againstPeers(effort: Effort): Promise<Line[]> {
  const store = await benchStore(ENTITIES)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const ours = await startFixed('worldwright', 'world-server.ts', JSON.stringify({ store }), SERVER_CORE)
  const servers: Server[] = [ours]
  try {
    const answer = await answerOf(ours, ENTITY, {})
    const file = join(folder, 'answer.json')
    writeFileSync(file, JSON.stringify(answer))
    writeFileSync(join(folder, 'entity.json'), Buffer.from(answer.body, 'base64'))
    for (const peer of ['fastify', 'hono', 'express', 'json-server']) {
      servers.push(await startFixed(peer, `peers/${peer}.ts`, file, SERVER_CORE))
    }
    const nginx = await startNginx(folder, SERVER_CORE)
    if (nginx !== undefined) servers.push(nginx)
    const plan = { requests: [requestText(ENTITY, {})], perSecond: 3_000, connections: CONNECTIONS }
    const samples = await rounds(servers, () => plan, '200', effort)
    const lines = servers.slice(1).map((server) => ({
      question: `entity, against ${server.name}`,
      bar: server === nginx ? 'the limit' : '',
      value: ratio(samples, ours, server),
      micros: [microsOf(samples, ours), microsOf(samples, server)] as const,
    }))
    const frameworks = lines.filter((line) => line.bar === '')
    const fastest = frameworks.reduce((best, line) => (line.micros[1] < best.micros[1] ? line : best))
    return lines.map((line) =>
      line === fastest ? { ...line, bar: '≥ 1.15', met: line.value.median >= 1.15 } : line,
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true })
  }
}

/** One GET request as the text that goes over a connection. */
export function requestText(path: string, headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ Host: '127.0.0.1', Accept: 'application/json', ...headers })
  return `GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
}

async function withTag(server: Server, { path, headers }: Question): Promise<Record<string, string>> {
  if (headers === undefined) return {}
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`)
  return { 'If-None-Match': response.headers.get('etag') ?? '' }
}

/** What a server answers, as the baseline needs it: without the fields Node adds by itself. */
async function answerOf(server: Server, path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...headers, 'accept-encoding': 'identity' },
  })
  const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return { status: response.status, headers: Object.fromEntries(own), body }
}
