/**
 * Sends the requests described by a world's own OpenAPI document, with hostile values, as well as corrupted requests. All
 * responses must be complete, none may report a server error, and each failure must have a code and a message.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { JsonObject } from '@worldwright/client/protocol'
import { errorIn, type RawResponse, responsesIn } from '../test/hostile/raw.fixture.ts'
import { type Effort, type Finding, finding } from './fault.ts'
import { DescribedRequests, type FuzzedRequest } from './fuzz/described-requests.ts'
import { spoilt } from './fuzz/hostile-values.ts'
import { Random } from './fuzz/random.ts'
import { serveWorld, waitedFor, writeToken } from './served-world.ts'

const DEMO = resolve(import.meta.dirname, '../examples/solar-system')
const CONNECTIONS = 8
/** Number of requests pipelined on one connection. */
const TOGETHER = 8
/** Proportion of connections whose bytes are corrupted. */
const RAW = 0.3
const TIMEOUT_MS = 30_000
/** Status of a request that the Node.js parser refuses. It is not a server failure. */
const NOT_IMPLEMENTED = 501

/** Running totals of requests, responses and mistakes. */
interface Tally {
  sent: number
  answered: number
  readonly mistakes: Record<string, number>
  readonly statuses: Map<number, number>
  /** Description of the first failure, for debugging. */
  example: string
}

/** Runs the fault with 100,000 requests, or 4,000 in a short run. */
export async function fuzzedRequests({ short }: Effort): Promise<Finding> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 32)
  const folder = mkdtempSync(join(tmpdir(), 'world-fuzz-'))
  cpSync(DEMO, folder, { recursive: true, filter: (path) => !/world\.db/.test(path) })
  const store = join(folder, 'world.db')
  const token = await writeToken(store)
  const world = await serveWorld(store)
  try {
    await waitedFor(() => world.said().includes('Workers ready'), 60_000)
    const document = (await (await fetch(`${world.url}/openapi.json`)).json()) as JsonObject
    const ids = ['io', 'europa', 'earth', 'mars', 'sun', 'halley', 'sol:moon', 'sol:planet', 'ghost']
    const requests = new DescribedRequests(document, ids, token)
    const tally = await sendAll(world.port, requests, new Random(seed), short ? 4_000 : 100_000)
    const died = world.said().match(/ended unexpectedly|does not respond/g)?.length ?? 0
    const internal = world.said().match(/internal_error/g)?.length ?? 0
    const statuses = [...tally.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
    return finding(
      `${tally.sent} requests over ${requests.count} operations, ${tally.answered} answered (${statuses.join(', ')}), seed ${seed}${tally.example}`,
      { ...tally.mistakes, 'processes that died': died, 'internal errors': internal },
    )
  } finally {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sendAll(
  port: number,
  requests: DescribedRequests,
  random: Random,
  count: number,
): Promise<Tally> {
  const mistakes = {
    'answers of 500 or more': 0,
    'failures without code and message': 0,
    'broken answers': 0,
  }
  const tally: Tally = {
    sent: 0,
    answered: 0,
    mistakes: { ...mistakes, 'without an end': 0 },
    statuses: new Map(),
    example: '',
  }
  const client = async () => {
    while (tally.sent < count) {
      const some = Array.from({ length: TOGETHER }, (_, at) => requests.next(random, at === TOGETHER - 1))
      const isRaw = random.isIn(RAW)
      tally.sent += TOGETHER
      const whole = Buffer.concat(some.map(({ bytes }) => bytes))
      const sent = isRaw ? spoilt(spoilt(whole, random), random) : whole
      judge(await exchanged(port, sent, isRaw), some, isRaw, tally, sent)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  return tally
}

function judge(
  received: Buffer | undefined,
  some: readonly FuzzedRequest[],
  isRaw: boolean,
  tally: Tally,
  sent: Buffer,
): void {
  const wrong = (kind: string, why: unknown) => {
    tally.mistakes[kind] = (tally.mistakes[kind] ?? 0) + 1
    tally.example ||= `; first: ${kind}, ${why} on ${JSON.stringify(sent.toString('latin1').slice(0, 2_000))}`
  }
  if (received === undefined) wrong('without an end', 'no end')
  let responses: RawResponse[] = []
  try {
    responses = responsesIn(
      // In corrupted bytes, HEAD requests, whose responses have no body, cannot be told from others.
      received === undefined || (isRaw && sent.includes('HEAD')) ? Buffer.of() : received,
      some.map(({ method }) => method),
    )
  } catch (error) {
    const { message } = error as Error
    // The server truncates a streamed response if the client half-closes the connection early.
    if (!isRaw || !CUT.test(message)) wrong('broken answers', message.slice(0, 300))
  }
  for (const [at, response] of responses.entries()) {
    tally.answered += 1
    tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1)
    if (response.status >= 500 && response.status !== NOT_IMPLEMENTED)
      wrong('answers of 500 or more', `${response.status} ${response.body}`)
    if (response.status < 400 || (!isRaw && some[at]?.method === 'HEAD')) continue
    // For an unknown path, a client that accepts HTML gets a page, with the code in a header field.
    if (isPage(response) && response.headers.has('world-error-code')) continue
    try {
      errorIn(response)
    } catch (error) {
      wrong('failures without code and message', (error as Error).message)
    }
  }
}

function isPage({ headers }: RawResponse): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

/** Matches errors of the strict parser about a truncated response. */
const CUT = /cut short|broken chunk|head without an end/

/** Returns all bytes received until the server closes the connection, or undefined if it times out. */
function exchanged(port: number, bytes: Buffer, isRaw: boolean): Promise<Buffer | undefined> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  return new Promise((settle) => {
    socket.setTimeout(TIMEOUT_MS, () => {
      settle(undefined)
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    // A reset is treated as a normal close.
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('close', () => settle(Buffer.concat(chunks)))
    // Only corrupted bytes, which have lost their framing, need a half-close to end.
    if (isRaw) socket.end(bytes)
    else socket.write(bytes)
  })
}
