import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'
const IO = '/api/world/v0/entities/sol%3Amoon/io'

/** Sends requests one after the other, each on its own connection, which goes to whichever worker is free. */
async function fromEach<T>(request: () => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let count = 0; count < 4; count += 1) answers.push(await request())
  return answers
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function statusOf(url: string, options: { agent?: Agent; token?: string } = {}): Promise<number> {
  const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  const sent = get(url, { headers, agent: options.agent ?? new Agent() })
  const [response] = await once(sent, 'response')
  await text(response)
  return response.statusCode
}

/** Starts a world with two workers: `ready` holds their process ids, `pids` waits for the next two. */
async function twoWorkers(t: TestContext, definition: string, ...argv: string[]) {
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '2', ...argv)
  const pids = async () => {
    const said = await world.until(/(?:Workers ready|could not start).*\n/)
    const listed = /Workers ready: (.*)\n/.exec(said)?.[1] ?? assert.fail(said)
    return listed.split(', ').map(Number)
  }
  return { ...world, ready: await pids(), pids }
}

test('a write through one worker can be read and searched through every other', async (t) => {
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

test('a killed worker is replaced, and the other keeps answering', async (t) => {
  const world = await twoWorkers(t, 'sources: [moons.ndjson]\n')
  const [first = 0, second = 0] = world.ready
  process.kill(first, 'SIGKILL')
  await world.until(new RegExp(`Worker ${first} ended unexpectedly; another takes its place\\.`))
  for (const status of await fromEach(() => statusOf(world.url + IO))) assert.equal(status, 200)
  const now = await world.pids()
  assert.ok(now.includes(second))
  assert.ok(!now.includes(first))
})

test('a revoked token is over in every worker', async (t) => {
  const world = await twoWorkers(t, 'private: true\nsources: [moons.ndjson]\n')
  const { token, id } = JSON.parse((await runWith(['token', 'create', '--json'], { cwd: world.cwd })).out)
  const statuses = () => fromEach(() => statusOf(world.url + IO, { token }))
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  assert.equal((await runWith(['token', 'revoke', id], { cwd: world.cwd })).code, 0)
  assert.deepEqual(await statuses(), [401, 401, 401, 401])
})

test('metrics cover all workers, and outlive the worker that counted', async (t) => {
  const world = await twoWorkers(t, 'sources: [moons.ndjson]\n', '--admin-port', '0')
  const at = /Metrics: +(\S+)/.exec(world.greeting)?.[1] ?? assert.fail(world.greeting)
  const value = async (line: RegExp) => Number(line.exec(await (await fetch(at)).text())?.[1])
  await fromEach(() => statusOf(world.url + IO))
  await fromEach(() => statusOf(`${world.url}/nothing`))
  const reads =
    /^world_request_duration_seconds_count\{route="\/api\/world\/v0\/entities\/\{type\}\/\{id\}"(?:,action="")?,method="GET",status="2xx"\} (\d+)/m
  const missing =
    /^world_request_duration_seconds_count\{route=""(?:,action="")?,method="GET",status="4xx"\} (\d+)/m
  assert.equal(await value(reads), 4)
  assert.equal(await value(missing), 4)
  // Each worker that was asked computed the response once.
  const hits = await value(/^world_response_cache_hits_total (\d+)/m)
  assert.ok(hits === 2 || hits === 3, String(hits))
  assert.equal(await value(/^world_entities\{type="sol:moon"\} (\d+)/m), 2)
  await runWith(['discover', world.url, 'europa'])
  const searches = /^world_search_duration_seconds_count\{outcome="(?:complete|partial)"\} (\d+)/m
  assert.ok((await value(searches)) >= 1)
  const [pid = 0] = world.ready
  process.kill(pid, 'SIGTERM')
  while ((await world.pids()).includes(pid));
  assert.equal(await value(reads), 4)
  assert.equal((await fetch(at.replace('/metrics', '/'))).status, 404)
  const asked = get(at, { headers: { host: `evil.example:${new URL(at).port}` } })
  const [byAnotherName] = await once(asked, 'response')
  byAnotherName.resume()
  assert.equal(byAnotherName.statusCode, 421)
})

test('a port in use is reported with advice, also with workers', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  t.after(() => taken.close())
  const { port } = taken.address() as { port: number }
  const { code, err } = await runWith(['serve', '--port', `${port}`, '--workers', '2'], { cwd })
  assert.equal(code, 1)
  assert.match(err, new RegExp(`Port ${port} is in use.*--port`))
  assert.doesNotMatch(err, /bug/)
})

test('stopping a world with workers ends with code 0 and leaves no process', async (t) => {
  const world = await twoWorkers(t, 'sources: [moons.ndjson]\n')
  assert.equal(await world.stop(), 0)
  for (const pid of world.ready) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  // The store is one whole file again.
  const files = await readdir(world.cwd)
  assert.deepEqual(
    files.filter((name) => name.startsWith('world.db')),
    ['world.db'],
  )
})

test('Ctrl-C, which every process of a terminal receives, ends a world with workers once and quietly', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, said } = await spawned(t, cwd)
  process.kill(-(world.pid ?? 0), 'SIGINT')
  assert.deepEqual(await once(world, 'exit'), [0, null])
  assert.match(said(), /Stopping\.\n$/)
})

test('SIGHUP renews the workers, SIGALRM does nothing, and SIGQUIT ends the world in order', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, url, said } = await spawned(t, cwd)
  const ready = () => [...said().matchAll(/Workers ready: (.*)/g)].map(([, pids]) => pids)
  const [before] = ready()
  process.kill(-(world.pid ?? 0), 'SIGHUP')
  world.kill('SIGALRM')
  // Each of the two is replaced, one after the other.
  while (ready().length < 3) await once(world.stderr ?? assert.fail(), 'data')
  const now = (ready().at(-1) ?? '').split(', ')
  assert.ok(now.length === 2 && now.every((pid) => !before?.includes(pid)))
  assert.equal(await statusOf(url + IO), 200)
  process.kill(-(world.pid ?? 0), 'SIGQUIT')
  assert.deepEqual(await once(world, 'exit'), [0, null])
  assert.match(said(), /Stopping\.\n$/)
})

test('workers do not outlive a primary that is killed', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, url, said } = await spawned(t, cwd)
  assert.equal(await statusOf(url + IO), 200)
  const pids = (/Workers ready: (.*)/.exec(said())?.[1] ?? '').split(', ').map(Number)
  world.kill('SIGKILL')
  await once(world, 'close')
  while (pids.some(isAlive)) await wait(10)
  await assert.rejects(statusOf(url + IO), { code: 'ECONNREFUSED' })
})

test('workers limit the young generation and cache compiled code, like the process that started them', {
  skip: process.platform !== 'linux' && 'what a process was started with is read from /proc',
}, async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, said } = await spawned(t, cwd)
  const workers = /Workers ready: (.*)/.exec(said())?.[1]?.split(', ') ?? []
  assert.equal(workers.length, 2)
  for (const pid of [`${world.pid}`, ...workers]) {
    const argv = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    assert.deepEqual(
      argv.filter((argument) => argument.startsWith('--max-semi-space-size')),
      ['--max-semi-space-size=8'],
    )
  }
  for (const pid of workers)
    assert.match(await readFile(`/proc/${pid}/environ`, 'utf8'), /(^|\0)NODE_COMPILE_CACHE=./)
})

/** Spawns a world with two workers in its own process group. */
async function spawned(t: TestContext, cwd: string) {
  const main = join(import.meta.dirname, '../main.ts')
  const argv = ['--conditions=@worldwright/source', main, 'serve', '--port', '0', '--workers', '2']
  const world: ChildProcess = spawn(process.execPath, argv, {
    cwd,
    env: { ...process.env, WORLD_LOG_FORMAT: 'text' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => world.kill('SIGKILL'))
  let said = ''
  for await (const chunk of world.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    if (/Workers ready:|could not start/.test(said)) break
  }
  world.stderr?.on('data', (chunk) => {
    said += chunk
  })
  assert.match(said, /Workers ready:/)
  const url = /Serving at (\S+)/.exec(said)?.[1] ?? assert.fail(said)
  return { world, url, said: () => said }
}
