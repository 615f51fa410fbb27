import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'
import { fromEach, IO, isAlive, MOONS, statusOf, twoWorkers } from './two-workers.fixture.ts'

test('a revoked token is refused by every worker', async (t) => {
  const world = await twoWorkers(t, 'private: true\nsources: [moons.ndjson]\n')
  const { token, id } = JSON.parse((await runWith(['token', 'create', '--json'], { cwd: world.cwd })).out)
  const statuses = () => fromEach(() => statusOf(world.url + IO, { token }))
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  assert.equal((await runWith(['token', 'revoke', id], { cwd: world.cwd })).code, 0)
  assert.deepEqual(await statuses(), [401, 401, 401, 401])
})

test('an action that does not await its writes fails, is logged, and ends no worker', async (t) => {
  const action = `export default {
    name: 'sol:late', safe: false, inputSchema: {}, outputSchema: {},
    handler(_, { get, put }) {
      ['a', 'b'].forEach(async (id) => {
        await get('sol:moon', id)
        await put('sol:moon', id, { attributes: {} })
      })
      return 'done'
    },
  }`
  const definition = 'operator: true\nsources: [moons.ndjson]\n'
  const world = await twoWorkers(t, definition, '--log-format', 'text')
  await mkdir(join(world.cwd, 'actions'))
  await writeFile(join(world.cwd, 'actions/late.mjs'), action)
  const { out } = await runWith(['token', 'create', '--scope', 'call'], { cwd: world.cwd })
  const headers = { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' }
  const url = `${world.url}/api/world/v0/actions/sol%3Alate`
  const call = async () => (await fetch(url, { method: 'POST', headers, body: '{"input":{}}' })).status
  while ((await call()) === 404) await wait(10)
  for (let count = 0; count < 4; count++) assert.equal(await call(), 500)
  await world.until(/A promise that nobody awaits was rejected/)
  assert.deepEqual(world.ready.map(isAlive), [true, true])
  assert.equal(await statusOf(world.url + IO.replace('/io', '/a')), 404)
})

test('metrics cover all workers, including those that have ended', async (t) => {
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
  // Each worker computes the response once, on its first request.
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

test('a world with workers reports a port in use with advice', async (t) => {
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

test('Ctrl-C in a terminal stops a world with workers without errors', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, said } = await spawned(t, cwd)
  process.kill(-(world.pid ?? 0), 'SIGINT')
  assert.deepEqual(await once(world, 'exit'), [0, null])
  assert.match(said(), /Stopping\.\n$/)
})

test('SIGHUP replaces the workers, SIGALRM is ignored, and SIGQUIT shuts down cleanly', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'name: Sol\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const { world, url, said } = await spawned(t, cwd)
  const ready = () => [...said().matchAll(/Workers ready: (.*)/g)].map(([, pids]) => pids)
  const [before] = ready()
  process.kill(-(world.pid ?? 0), 'SIGHUP')
  world.kill('SIGALRM')
  // The two workers are replaced one after the other.
  while (ready().length < 3) await once(world.stderr ?? assert.fail(), 'data')
  const now = (ready().at(-1) ?? '').split(', ')
  assert.ok(now.length === 2 && now.every((pid) => !before?.includes(pid)))
  assert.equal(await statusOf(url + IO), 200)
  process.kill(-(world.pid ?? 0), 'SIGQUIT')
  assert.deepEqual(await once(world, 'exit'), [0, null])
  assert.match(said(), /Stopping\.\n$/)
})

test('workers exit if their primary is killed', async (t) => {
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

test('workers use the heap options and compile cache of their parent', {
  skip: process.platform !== 'linux' && 'not run: this machine has no /proc',
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
