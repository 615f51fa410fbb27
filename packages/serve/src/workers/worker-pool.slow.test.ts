import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { createWorld } from '../../../core/src/handler/handler.ts'
import { openSqliteStore } from '../../../sqlite/src/open.ts'
import { answerCalls } from './rpc.ts'
import { shareStore } from './shared-store.ts'
import { type PoolOptions, startWorkerPool, type WorkerPool } from './worker-pool.ts'

const MOON = '/api/world/v0/entities/sol:moon/io'

/** Opens a pool of two workers and a store with one moon. `arrived` waits until this many workers have become ready. */
async function pooled(t: TestContext, options: Partial<PoolOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'sol.db')
  const store = openSqliteStore(file)
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'none', attributes: {} } }])
  let arrivals = 0
  let heard = Promise.withResolvers<void>()
  let pool: WorkerPool | undefined
  t.after(async () => {
    await pool?.close()
    await store.close()
    await rm(folder, { recursive: true })
  })
  pool = await startWorkerPool({
    host: '127.0.0.1',
    port: 0,
    handler: createWorld({ id: 'urn:example:sol', types: [{ type: 'sol:moon' }], store }),
    count: 2,
    program: join(import.meta.dirname, 'worker-pool.fixture.ts'),
    args: [file],
    onStart: (worker) => answerCalls(worker, shareStore(store).methods),
    ...options,
    onReady(worker) {
      options.onReady?.(worker)
      arrivals += 1
      heard.resolve()
      heard = Promise.withResolvers()
    },
  })
  const arrived = async (count: number) => {
    while (arrivals < count) await heard.promise
  }
  return { pool, arrived }
}

async function send(pool: WorkerPool, method: string, path: string, agent?: Agent): Promise<string> {
  const sent = request({ port: pool.port, host: '127.0.0.1', method, path, agent: agent ?? new Agent() })
  sent.end()
  const [response] = await once(sent, 'response')
  return text(response)
}

async function pidsThatAnswer(pool: WorkerPool): Promise<Set<string>> {
  const pids = new Set<string>()
  // The system assigns each connection to a free worker.
  for (let count = 0; count < 100 && pids.size < 2; count += 1) pids.add(await send(pool, 'GET', '/pid'))
  return pids
}

test('workers share one port, and a write through one is visible to all', async (t) => {
  const { pool, arrived } = await pooled(t)
  await arrived(2)
  assert.deepEqual(await pidsThatAnswer(pool), new Set(pool.pids().map(String)))
  for (let count = 0; count < 20; count += 1) {
    const title = `title-${count}`
    await send(pool, 'POST', `/write/${title}`)
    const reads = await Promise.all([1, 2, 3, 4].map(() => send(pool, 'GET', MOON)))
    for (const read of reads) assert.equal(JSON.parse(read).title, title)
  }
})

test('a pool serves requests itself until a worker is ready', async (t) => {
  const { pool, arrived } = await pooled(t)
  assert.deepEqual(pool.pids(), [])
  const response = await fetch(pool.url + MOON)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('connection'), 'close')
  await arrived(1)
  assert.equal((await fetch(pool.url + MOON)).headers.get('connection'), 'keep-alive')
})

test('renewing every worker under load loses no request', async (t) => {
  const { pool, arrived } = await pooled(t)
  await arrived(2)
  const before = pool.pids()
  const answers = await underLoad(t, pool, () => pool.renew())
  assert.ok(answers.length > 20)
  assert.ok(answers.every((id) => id === 'io'))
  assert.equal(pool.pids().length, 2)
  assert.ok(pool.pids().every((pid) => !before.includes(pid)))
})

test('a worker that receives SIGTERM is replaced without losing a request', async (t) => {
  const goodbye = Promise.withResolvers<boolean>()
  const { pool, arrived } = await pooled(t, { onExit: (_worker, expected) => goodbye.resolve(expected) })
  await arrived(2)
  const [pid = 0, other] = pool.pids()
  const answers = await underLoad(t, pool, async () => {
    process.kill(pid, 'SIGTERM')
    assert.equal(await goodbye.promise, true)
  })
  assert.ok(answers.every((id) => id === 'io'))
  assert.equal(pool.pids().length, 2)
  assert.ok(pool.pids().includes(other ?? 0) && !pool.pids().includes(pid))
})

/** Runs six clients with keep-alive connections until `work` is done, and returns the ids that they read. */
async function underLoad(t: TestContext, pool: WorkerPool, work: () => Promise<void>): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  t.after(() => agent.destroy())
  let working = true
  const answers: string[] = []
  const client = async () => {
    while (working) answers.push(JSON.parse(await send(pool, 'GET', MOON, agent)).id)
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  await work()
  working = false
  await clients
  return answers
}

test('the pool keeps serving and replaces the workers if all of them die', async (t) => {
  const gone = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  let farewells = 0
  const { pool, arrived } = await pooled(t, {
    onExit: (_worker, expected) => gone[farewells++]?.resolve(expected),
  })
  await arrived(2)
  const before = pool.pids()
  for (const pid of before) process.kill(pid, 'SIGKILL')
  assert.deepEqual(await Promise.all(gone.map(({ promise }) => promise)), [false, false])
  assert.equal(JSON.parse(await send(pool, 'GET', MOON)).id, 'io')
  await arrived(4)
  assert.equal(pool.pids().length, 2)
  assert.ok(pool.pids().every((pid) => !before.includes(pid)))
})

test('a worker answers half-closed connections and malformed requests', async (t) => {
  const { pool, arrived } = await pooled(t)
  await arrived(1)
  const half = connect(pool.port, '127.0.0.1')
  half.end(`GET ${MOON} HTTP/1.1\r\nHost: sol\r\n\r\n`)
  assert.match(await text(half), /^HTTP\/1\.1 200 /)
  const broken = connect(pool.port, '127.0.0.1')
  broken.write('nonsense\r\n\r\n')
  assert.match(await text(broken), /^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/)
})

test('workers that cannot start are reported while the pool keeps serving', async (t) => {
  const told = Promise.withResolvers<unknown>()
  const { pool } = await pooled(t, { program: '--no-such-program', onFailure: told.resolve })
  assert.match(String(await told.promise), /ended before it was ready/)
  assert.equal(JSON.parse(await send(pool, 'GET', MOON)).id, 'io')
})

test('a worker whose configuration fails is killed', async (t) => {
  const told = Promise.withResolvers<unknown>()
  const onStart = () => Promise.reject(new Error('not today'))
  const { pool } = await pooled(t, { onStart, onFailure: told.resolve })
  assert.match(String(await told.promise), /not today/)
  assert.deepEqual(pool.pids(), [])
})

test('workers that exit right before the pool is closed are not reported', async (t) => {
  const welcomed = Promise.withResolvers<void>()
  const told: unknown[] = []
  const { pool } = await pooled(t, {
    count: 1,
    async onStart(worker) {
      const gone = once(worker, 'exit')
      worker.kill('SIGTERM')
      await gone
      setImmediate(welcomed.resolve)
    },
    onFailure: (error) => told.push(error),
  })
  await welcomed.promise
  await pool.close()
  assert.deepEqual(told, [])
})

test('starting a pool at an unavailable address fails immediately', async (t) => {
  const { pool } = await pooled(t)
  await assert.rejects(pooled(t, { port: pool.port }), { code: 'EADDRINUSE' })
})

test('a stopped worker gets no connections: the other one answers all of them', async (t) => {
  const { pool, arrived } = await pooled(t)
  await arrived(2)
  const [stuck] = pool.pids() as [number]
  process.kill(stuck, 'SIGSTOP')
  try {
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(pool, 'GET', MOON)))
    for (const answer of answers) assert.equal(JSON.parse(answer).id, 'io')
  } finally {
    process.kill(stuck, 'SIGKILL')
  }
})

test('workers that cannot start are retried with exponential backoff', async (t) => {
  const pauses: number[] = []
  const enough = Promise.withResolvers<void>()
  await pooled(t, {
    count: 1,
    onStart: () => Promise.reject(new Error('not today')),
    async pause(ms) {
      pauses.push(ms)
      if (pauses.length < 8) return
      enough.resolve()
      await new Promise(() => {})
    },
  })
  await enough.promise
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

test('an unresponsive worker is killed and replaced', async (t) => {
  const silent: (number | undefined)[] = []
  const { pool, arrived } = await pooled(t, {
    heartbeatMs: 100,
    onUnresponsive: ({ pid }) => silent.push(pid),
  })
  await arrived(2)
  const [stopped, other] = pool.pids()
  process.kill(stopped as number, 'SIGSTOP')
  await arrived(3)
  assert.deepEqual(silent, [stopped])
  assert.ok(pool.pids().includes(other as number))
  assert.equal(JSON.parse(await send(pool, 'GET', MOON)).id, 'io')
})
