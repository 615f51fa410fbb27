/** Cost of an answer: `world serve` with its defaults against `node:http`, frameworks and nginx with the same answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { FixedAnswer } from './baseline.ts'
import { SERVER_CORE } from './cores.ts'
import { benchStore, ENTITIES, ITEMS, idOf, LIST, MANY, QUICK_MANY } from './data.ts'
import { compared, type Effort, inTurns, type Sample } from './measure.ts'
import { type Server, startFixed, startNginx, startWorld } from './servers.ts'
import type { Line } from './table.ts'
import { type Asked, underLoad } from './wrk.ts'

/** Minimum required ratio for a number of connections. */
type Bar = (connections: number) => number

/** Kind of answer to measure. */
interface Case {
  readonly name: string
  readonly path: string
  /** Route for frameworks, with `:name` for its parameters. */
  readonly route: string
  /** Requests a different entity of a large world each time, so that no answer is cached. */
  readonly fromStore?: true
  /** Sends conditional requests with the ETag of an earlier answer. */
  readonly conditional?: true
  /** Bar against `node:http`, without an access log. */
  readonly quiet: Bar
  /** Bar against `node:http`, with an access log. */
  readonly logged?: Bar
  /** Bar against fastify. */
  readonly fastify?: Bar
}

/** Numbers of connections with a lower bar for small answers, because more of the cost is the operating system's. */
const EXTREMES = [1, 1_024]
const SMALL: Bar = (connections) => (EXTREMES.includes(connections) ? 0.9 : 0.95)
const always =
  (least: number): Bar =>
  () =>
    least

const ENTITY = { path: `${LIST}/${idOf(4_321)}`, route: '/api/world/v0/entities/:type/:id' }
const LOGGED = always(0.75)
const AHEAD = always(1)

const CASES: readonly Case[] = [
  { name: 'entity', ...ENTITY, quiet: SMALL, logged: LOGGED, fastify: AHEAD },
  {
    name: 'page',
    path: LIST,
    route: '/api/world/v0/entities/:type',
    quiet: always(0.9),
    logged: LOGGED,
    fastify: AHEAD,
  },
  { name: 'store', ...ENTITY, fromStore: true, quiet: always(0.7) },
  {
    name: 'discovery',
    path: '/.well-known/world.json',
    route: '/.well-known/world.json',
    quiet: SMALL,
    logged: LOGGED,
    fastify: AHEAD,
  },
  { name: 'not-modified', ...ENTITY, conditional: true, quiet: always(0.9) },
]

/** Number of warm-up turns per server, which are not counted. */
const WARM_UP = 3
/** Connections per additional second of a turn, so that opening them has little weight. */
const OPENED_A_SECOND = 512

/** Names of the cases, each of which is measured separately. */
export const CASE_NAMES: readonly string[] = CASES.map(({ name }) => name)

/** Servers that are compared in one case. */
interface Arms {
  readonly quiet: Server
  readonly logged: Server
  readonly baseline: Server
  /** Frameworks to compare, or an empty array if the answer has no body. */
  readonly peers: readonly Server[]
  readonly nginx: { readonly quiet: Server; readonly logged: Server } | undefined
}

/** Measures a case at each number of connections. */
export async function costsOf(
  name: string,
  connections: readonly number[],
  effort: Effort,
  quick: boolean,
): Promise<Line[]> {
  const asking = CASES.find((one) => one.name === name)
  if (asking === undefined) throw new Error(`There is no case ${name}.`)
  const entities = asking.fromStore ? (quick ? QUICK_MANY : MANY) : ENTITIES
  const store = await benchStore(entities)
  const folder = mkdtempSync(join(tmpdir(), 'worldwright-bench-'))
  const servers: Server[] = []
  try {
    const { arms, asked } = await startArms(asking, store, folder, servers)
    const load: Asked = asking.fromStore ? { ...asked, path: ITEMS, entities } : asked
    // Node.js takes seconds to compile hot code.
    const warm = { connections: 32, seconds: WARM_UP * effort.seconds }
    for (const server of quick ? [] : servers) await underLoad(server, load, warm)
    const lines: Line[] = []
    for (const count of connections) {
      const seconds = effort.seconds * (1 + count / OPENED_A_SECOND)
      const pressure = { connections: count, seconds }
      const samples = await inTurns(servers, (server) => underLoad(server, load, pressure), effort.rounds)
      lines.push(...linesOf(asking, count, arms, samples))
    }
    return lines
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true })
  }
}

/** Starts all servers. Adds each to `started` once it runs. @throws Error if an answer differs from the world's */
async function startArms(
  asking: Case,
  store: string,
  folder: string,
  started: Server[],
): Promise<{ arms: Arms; asked: Asked }> {
  const add = async <T extends Server | undefined>(starting: Promise<T>): Promise<T> => {
    const server = await starting
    if (server !== undefined) started.push(server)
    return server
  }
  const one = ['--workers', '1']
  const quiet = await add(startWorld('world', store, SERVER_CORE, one))
  const logged = await add(startWorld('world with its log', store, SERVER_CORE, [...one, '--access-log']))
  const tag = asking.conditional && (await answerOf(quiet, asking)).headers.etag
  const asked = { path: asking.path, ...(tag && { headers: { 'If-None-Match': tag } }) }
  const answer = await answerOf(quiet, asked)
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify(fixedAnswer(answer, asking.route)))
  const baseline = await add(startFixed('node:http', 'baseline.ts', file, SERVER_CORE))
  const peers: Server[] = []
  let nginx: Arms['nginx']
  if (!asking.conditional) {
    for (const peer of ['fastify', 'hono'])
      peers.push(await add(startFixed(peer, `peers/${peer}.ts`, file, SERVER_CORE)))
    writeFileSync(join(folder, 'body'), answer.body)
    nginx = await startNginx(folder, fixedAnswer(answer, asking.route).headers, SERVER_CORE)
    if (nginx) started.push(nginx.quiet, nginx.logged)
  }
  for (const server of started)
    if (server !== logged) expectSame(server, await answerOf(server, asked), answer)
  return { arms: { quiet, logged, baseline, peers, nginx }, asked }
}

function linesOf(
  { name, quiet, logged, fastify }: Case,
  connections: number,
  arms: Arms,
  samples: ReadonlyMap<Server, readonly Sample[]>,
): Line[] {
  const line = (ours: Server, theirs: Server, bar?: Bar): Line => {
    const found = compared(samples, ours, theirs)
    const least = bar?.(connections)
    return {
      question: `${name}, ${connections}: ${ours.name} against ${theirs.name}`,
      bar: least === undefined ? '' : `≥ ${least}`,
      ...found,
      // Use the lower ratio, because the load generator may be the bottleneck for large answers.
      met: least === undefined ? undefined : Math.min(found.value.median, found.cost.median) >= least,
    }
  }
  const { nginx } = arms
  return [
    line(arms.quiet, arms.baseline, quiet),
    line(arms.logged, arms.baseline, logged),
    ...arms.peers.map((peer) => line(arms.quiet, peer, peer.name === 'fastify' ? fastify : undefined)),
    ...(nginx ? [line(arms.quiet, nginx.quiet), line(arms.logged, nginx.logged)] : []),
  ]
}

/** Response as received. */
interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Header names and values, alternating. */
  readonly fields: readonly string[]
  readonly body: Buffer
}

async function answerOf({ port }: Server, { path, headers }: Asked): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const fields = { Accept: 'application/json', ...headers }
  request({ port, host: '127.0.0.1', path, headers: fields }, async (response) => {
    const body = Buffer.concat(await response.toArray())
    resolve({
      status: response.statusCode ?? 0,
      headers: response.headers,
      fields: response.rawHeaders,
      body,
    })
  })
    .on('error', reject)
    .end()
  return promise
}

const ADDED_BY_NODE = ['date', 'connection', 'keep-alive']

function fixedAnswer({ status, fields, body }: Answer, route: string): FixedAnswer {
  const own = pairsOf(fields).filter(([name]) => !ADDED_BY_NODE.includes(name.toLowerCase()))
  return { status, headers: Object.fromEntries(own), body: body.toString('base64'), route }
}

/** Compares the status, the body and all fields except `Date`, and `Server` of nginx. @throws Error if they differ */
function expectSame({ name }: Server, answer: Answer, expected: Answer): void {
  const plain = ({ status, fields, body }: Answer) => ({
    status,
    body,
    fields: pairsOf(fields)
      .map(([field, value]) => `${field.toLowerCase()}: ${value}`)
      .filter((field) => !field.startsWith('date: ') && field !== 'server: nginx')
      .toSorted(),
  })
  if (isDeepStrictEqual(plain(answer), plain(expected))) return
  const shown = (one: Answer) => [one.status, ...plain(one).fields, `${one.body.length} bytes`].join('\n')
  throw new Error(`${name} answers\n${shown(answer)}\nand not\n${shown(expected)}`)
}

function pairsOf(fields: readonly string[]): [string, string][] {
  return Array.from({ length: fields.length / 2 }, (_, at) => [
    fields[2 * at] ?? '',
    fields[2 * at + 1] ?? '',
  ])
}
