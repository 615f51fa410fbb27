import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openSqliteStorage } from '../storage/sqlite/open.ts'
import { type Pool, type PoolOptions, startPool } from './pool.ts'
import { answerWrites } from './shared-writer.ts'

const MOON = '/api/world/v0/entities/sol:moon/io'

async function pooled(context: TestContext, options: Partial<PoolOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  const file = join(folder, 'sol.db')
  const storage = openSqliteStorage(file)
  await storage.write([{ put: { type: 'sol:moon', id: 'io', title: 'none', attributes: {} } }])
  const pool = await startPool({
    count: 2,
    program: join(import.meta.dirname, 'pool.fixture.ts'),
    args: [file],
    welcome: (worker) => void answerWrites(storage, worker),
    ...options,
  })
  context.after(async () => {
    await pool.close()
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return pool
}

async function send(pool: Pool, method: string, path: string, agent?: Agent): Promise<string> {
  const sent = request({ port: pool.port, host: '127.0.0.1', method, path, agent: agent ?? new Agent() })
  sent.end()
  const [response] = await once(sent, 'response')
  return text(response)
}

async function pidsThatAnswer(pool: Pool): Promise<Set<string>> {
  const pids = new Set<string>()
  for (let count = 0; count < 8; count += 1) pids.add(await send(pool, 'GET', '/pid'))
  return pids
}

test('workers share one port, and a write through one is seen by the next read through any', async (t) => {
  const pool = await pooled(t)
  assert.deepEqual(await pidsThatAnswer(pool), new Set(pool.pids().map(String)))
  for (let count = 0; count < 20; count += 1) {
    const title = `title-${count}`
    await send(pool, 'POST', `/write/${title}`)
    const reads = await Promise.all([1, 2, 3, 4].map(() => send(pool, 'GET', MOON)))
    for (const read of reads) assert.equal(JSON.parse(read).title, title)
  }
})

test('renewing every worker under load loses no request', async (t) => {
  const pool = await pooled(t)
  const before = pool.pids()
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  t.after(() => agent.destroy())
  let renewing = true
  const answers: string[] = []
  const client = async () => {
    while (renewing) answers.push(JSON.parse(await send(pool, 'GET', MOON, agent)).id)
  }
  const clients = Promise.all(Array.from({ length: 6 }, client))
  await pool.renew()
  renewing = false
  await clients
  assert.ok(answers.length > 20)
  assert.ok(answers.every((id) => id === 'io'))
  assert.equal(pool.pids().length, 2)
  assert.ok(pool.pids().every((pid) => !before.includes(pid)))
})

test('a worker that dies is replaced', async (t) => {
  const gone = Promise.withResolvers<boolean>()
  const replaced = Promise.withResolvers<void>()
  let arrivals = 0
  const pool = await pooled(t, {
    arrived: () => ++arrivals === 3 && replaced.resolve(),
    farewell: (_worker, expected) => gone.resolve(expected),
  })
  const [victim = 0] = pool.pids()
  process.kill(victim, 'SIGKILL')
  assert.equal(await gone.promise, false)
  await replaced.promise
  assert.equal(pool.pids().length, 2)
  assert.ok(!pool.pids().includes(victim))
})

test('workers that cannot start are an error, not a loop', async () => {
  const starting = startPool({ count: 1, program: '--no-such-program' })
  await assert.rejects(starting, /ended before it listened/)
})
