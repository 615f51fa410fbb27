import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { fromEach, IO, statusOf, twoWorkers } from './two-workers.fixture.ts'

test('an entity written through one worker can be read and found through every other worker', async (t) => {
  const world = await twoWorkers(t, 'operator: true\nsources: [moons.ndjson]\n')
  const { out } = await runWith(['token', 'create', '--scope', 'write'], { cwd: world.cwd })
  const headers = { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' }
  for (let count = 0; count < 6; count += 1) {
    const body = JSON.stringify({ title: `title${count}`, attributes: {} })
    const url = `${world.url}${IO.replace('world', 'operator')}`
    assert.equal((await fetch(url, { method: 'PUT', headers, body })).status, 200)
    const titles = await fromEach(async () => JSON.parse(await (await fetch(world.url + IO)).text()).title)
    assert.deepEqual(new Set(titles), new Set([`title${count}`]))
    const found = await runWith(['discover', world.url, `title${count}`, '--json'])
    assert.equal(JSON.parse(found.out).id, 'io')
    const asked = await runWith(['query', world.url, `title = 'title${count}'`, '--json'])
    assert.equal(JSON.parse(asked.out).id, 'io')
  }
})

test('a killed worker is replaced while the other keeps serving', async (t) => {
  const world = await twoWorkers(t, 'sources: [moons.ndjson]\n')
  const [first = 0, second = 0] = world.ready
  process.kill(first, 'SIGKILL')
  await world.until(new RegExp(`Worker ${first} ended unexpectedly; another takes its place\\.`))
  for (const status of await fromEach(() => statusOf(world.url + IO))) assert.equal(status, 200)
  const now = await world.pids()
  assert.ok(now.includes(second))
  assert.ok(!now.includes(first))
})

test('a stopped world with workers exits with 0 and leaves no process', async (t) => {
  const world = await twoWorkers(t, 'sources: [moons.ndjson]\n')
  assert.equal(await world.stop(), 0)
  for (const pid of world.ready) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  // The store is a single file again, without a write-ahead log.
  const files = await readdir(world.cwd)
  assert.deepEqual(
    files.filter((name) => name.startsWith('world.db')),
    ['world.db'],
  )
})
