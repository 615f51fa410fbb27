/**
 * Moves the clock of a served world forwards and backwards by an hour and by ten years, during imports. No client may be
 * locked out, cursors and entity tags must stay valid, and no entity may have an update time before its creation time.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'
import { builtShim, hasCompiler } from './built-shim.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'
import { type ServedWorld, serveWorld, TYPE, waitedFor, writeThing, writeToken } from './served-world.ts'

const HOUR = 3_600
const TEN_YEARS = 10 * 365 * 24 * HOUR
/** Successive clock offsets, in seconds. */
const CLOCKS = [HOUR, 0, -HOUR, 0, TEN_YEARS, 0, -TEN_YEARS, 0, TEN_YEARS, -TEN_YEARS]
const API = '/api/world/v0'
const STILL = 'chaos:still'
/** Number of entities that never change. They are read in pages of ten. */
const STILL_COUNT = 40
/** Requests allowed per minute and address, more than are sent. With a limit, responses state when it resets. */
const RATE_LIMIT = 5_000
/** Wait that is longer than the workers' heartbeat timeout, in milliseconds. */
const HEARTBEATS_MS = 21_000

interface ClockTrial {
  readonly world: ServedWorld
  readonly token: string
  /** Token that expires in a month. */
  readonly shortToken: string
  readonly mistakes: Record<string, number>
}

/** Runs the fault. A short run does not wait for heartbeats. */
export async function clockJumps({ short }: Effort): Promise<Finding> {
  if (!hasCompiler()) return notRun('there is no gcc')
  const folder = mkdtempSync(join(tmpdir(), 'world-clock-'))
  const clock = openSync(join(folder, 'clock'), 'w+')
  try {
    ftruncateSync(clock, 8)
    const store = join(folder, 'world.db')
    const token = await writeToken(store)
    const shortToken = await filled(store)
    const world = await serveWorld(store, {
      env: { LD_PRELOAD: builtShim('set-clock', folder), CHAOS_CLOCK: join(folder, 'clock') },
      flags: ['--rate-limit', `${RATE_LIMIT}`],
    })
    try {
      await waitedFor(() => world.said().includes('Workers ready'), 60_000)
      return await run({ world, token, shortToken, mistakes: {} }, clock, short)
    } finally {
      await world.stop()
    }
  } finally {
    closeSync(clock)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills a store with entities that will not change. Returns a token that expires in a month. */
async function filled(file: string): Promise<string> {
  const store = await openStore(`sqlite:${file}`, { role: 'writer' })
  const ids = Array.from({ length: STILL_COUNT }, (_, at) => `s${String(at).padStart(2, '0')}`)
  await store.write(ids.map((id) => ({ put: { type: STILL, id, title: id, attributes: {} } })))
  const expiresAt = new Date(Date.now() + 30 * 24 * HOUR * 1_000)
  const { token } = await createToken(store, { scopes: ['write'], expiresAt })
  await store.close()
  return token
}

async function run(trial: ClockTrial, clock: number, short: boolean): Promise<Finding> {
  const { world, token, mistakes } = trial
  const held = await heldByClients(world)
  let checks = 0
  for (const [round, seconds] of CLOCKS.entries()) {
    const bulk = await beginBulk(trial, round)
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(seconds))
    writeSync(clock, bytes, 0, 8, 0)
    checks += await check(trial, held, round, seconds)
    const { status } = await writeThing(world.url, token, `w${round}`, 'while an import is under way')
    count(mistakes, 'writes refused', status !== 201)
    count(mistakes, 'imports that did not survive', !(await bulk()).includes('"committed":true'))
    if (!short && round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, HEARTBEATS_MS))
  }
  count(mistakes, 'workers ended', /does not respond|unexpectedly/.test(world.said()))
  return finding(`${CLOCKS.length} jumps of an hour and of ten years, ${checks} checks`, mistakes)
}

interface Held {
  /** Path and body of the second page of the unchanged entities. */
  readonly next: string
  readonly second: string
  /** Entity tags of a page and of an entity, by path. */
  readonly tags: ReadonlyMap<string, string>
}

async function heldByClients({ url }: ServedWorld): Promise<Held> {
  const list = `${API}/entities/${encodeURIComponent(STILL)}`
  const first = await fetch(`${url}${list}?limit=10`)
  const { nextCursor } = (await first.json()) as { nextCursor: string }
  const next = `${list}?limit=10&cursor=${encodeURIComponent(nextCursor)}`
  const tags = new Map<string, string>()
  for (const path of [`${list}?limit=10`, `${list}/s01`])
    tags.set(path, (await fetch(url + path)).headers.get('etag') ?? '')
  return { next, second: await (await fetch(url + next)).text(), tags }
}

/** Checks everything that does or might depend on the clock. Returns the number of checks. */
async function check(trial: ClockTrial, held: Held, round: number, seconds: number): Promise<number> {
  const { world, token, shortToken, mistakes } = trial
  const { url } = world
  const page = await fetch(url + held.next)
  count(mistakes, 'cursors that broke', page.status !== 200 || (await page.text()) !== held.second)
  const reset = Number(/t=(\d+)/.exec(page.headers.get('ratelimit') ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
  count(mistakes, 'limits without an end', reset > 60)
  for (const [path, tag] of held.tags) {
    const { status } = await fetch(url + path, { headers: { 'if-none-match': tag } })
    count(mistakes, 'entity tags that broke', status !== 304)
  }
  const { body } = await writeThing(url, token, `new${round}`, 'new')
  const isJumped = Math.abs(Date.parse(JSON.parse(body).createdAt) - Date.now() - seconds * 1_000) < 10_000
  count(mistakes, 'clocks that did not jump', !isJumped)
  const again = await writeThing(url, token, 'again', `round ${round}`)
  count(mistakes, 'writes refused', again.status !== 201 && again.status !== 200)
  const entity = (await (await fetch(`${url}${API}/entities/${encodeURIComponent(TYPE)}/again`)).json()) as {
    createdAt: string
    updatedAt: string
  }
  count(mistakes, 'entities changed before they were made', entity.updatedAt < entity.createdAt)
  const ended = (await writeThing(url, shortToken, 'short', `round ${round}`)).status
  const isOver = seconds >= TEN_YEARS
  count(mistakes, 'ends of tokens', isOver ? ended !== 401 : ended !== 201 && ended !== 200)
  const found = await fetch(`${url}${API}/actions/${encodeURIComponent('wp:discover')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: { text: 's05', types: [STILL] } }),
  })
  count(mistakes, 'searches that failed', found.status !== 200 || !(await found.text()).includes('"s05"'))
  return 9
}

/** Begins a bulk write. Returns a function that ends the write and resolves to the response body. */
async function beginBulk({ world, token }: ClockTrial, round: number): Promise<() => Promise<string>> {
  const line = (id: string) => `${JSON.stringify({ id, attributes: {} })}\n`
  const sent = request(`${world.url}/api/operator/v0/entities/${encodeURIComponent(TYPE)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
  })
  const answered = new Promise<string>((resolve) => {
    sent.on('error', (error) => resolve(error.message))
    sent.on('response', async (response) => {
      let text = ''
      response.setEncoding('utf8').on('error', () => resolve(text))
      for await (const chunk of response) text += chunk
      resolve(text)
    })
  })
  // Enough lines for a batch, which is staged immediately.
  for (let at = 0; at < 600; at++) sent.write(line(`b${round}-${at}`))
  const isStaged = new Promise((resolve) => sent.once('response', resolve))
  await Promise.race([isStaged, answered])
  return () => {
    sent.end(line(`b${round}-last`))
    return answered
  }
}

function count(mistakes: Record<string, number>, kind: string, isMistake: boolean): void {
  mistakes[kind] = (mistakes[kind] ?? 0) + Number(isMistake)
}
