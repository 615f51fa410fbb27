import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf, serving } from '../../../cli/src/serving.fixture.ts'
import { type AdminSources, serveAdmin } from './admin-server.ts'
import type { ReadinessReport, Reason } from './readiness.ts'

const READY = { reads: [], writes: [], search: [], follow: [] }
const ALL_READY = `${JSON.stringify({ ready: true, reasons: [], parts: READY })}\n`

async function admin(t: TestContext, sources: Partial<AdminSources> = {}, adminHost = '127.0.0.1') {
  const none = async () => []
  const readiness = async () => ({ reasons: [], parts: READY })
  const quiet: AdminSources = { snapshots: none, readiness, damaged: none, config: () => [] }
  const server = await serveAdmin({ adminHost, adminPort: 0 }, { ...quiet, ...sources })
  assert.ok(server)
  t.after(() => server.close())
  return server.url
}

async function asked(url: string, headers: Record<string, string> = {}) {
  const [response] = await once(get(url, { headers }), 'response')
  return { status: response.statusCode, body: await text(response) }
}

test('while a world is not ready, /ready returns 503 with the reasons, and /live returns 200', async (t) => {
  const reasons: Reason[] = [{ reason: 'loading', message: 'The sources are being loaded.' }]
  const url = await admin(t, { readiness: async () => ({ reasons, parts: READY }) })
  const unready = await asked(`${url}/ready`)
  assert.equal(unready.status, 503)
  assert.deepEqual(JSON.parse(unready.body), { ready: false, reasons, parts: READY })
  assert.deepEqual(await asked(`${url}/live`), { status: 200, body: '{"live":true}\n' })
  reasons.length = 0
  assert.deepEqual(await asked(`${url}/ready`), { status: 200, body: ALL_READY })
})

test('each part has a path of its own, and a part that is not ready leaves the world ready', async (t) => {
  const search: Reason[] = [{ reason: 'search', message: 'Searches fail: no index' }]
  const report: ReadinessReport = { reasons: [], parts: { ...READY, search } }
  const cluster = () => ({ lagSeconds: 7, lost: 'no index' })
  const url = await admin(t, { readiness: async () => report, cluster })
  const whole = await asked(`${url}/ready`)
  assert.equal(whole.status, 200)
  assert.deepEqual(JSON.parse(whole.body), { ready: true, ...report, cluster: cluster() })
  const part = await asked(`${url}/ready/search`)
  assert.deepEqual([part.status, JSON.parse(part.body)], [503, { ready: false, reasons: search }])
  assert.equal((await asked(`${url}/ready/writes`)).status, 200)
  assert.equal((await asked(`${url}/ready/other`)).status, 404)
})

test('the admin server on loopback refuses other host names', async (t) => {
  const headers = { host: 'evil.example' }
  assert.equal((await asked(`${await admin(t)}/ready`, headers)).status, 421)
  const open = (await admin(t, {}, '0.0.0.0')).replace('0.0.0.0', '127.0.0.1')
  assert.equal((await asked(`${open}/ready`, headers)).status, 200)
})

test('unknown paths return 404, and other methods return 405', async (t) => {
  const url = await admin(t)
  assert.equal((await asked(`${url}/constructor`)).status, 404)
  assert.equal((await fetch(`${url}/ready`, { method: 'POST' })).status, 405)
})

test('a read-only world loads nothing and does not change its store', async (t) => {
  const moons = (id: string) => `{"type":"sol:moon","id":"${id}"}\n`
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': moons('io') })
  await (await serving(t, cwd, '--workers', '1')).stop()
  await writeFile(join(cwd, 'moons.ndjson'), moons('europa'))
  const before = await readFile(join(cwd, 'world.db'))
  const world = await serving(t, cwd, '--workers', '1', '--read-only')
  assert.deepEqual(await world.ids('sol:moon'), ['io'])
  assert.equal(await world.stop(), 0)
  assert.ok(before.equals(await readFile(join(cwd, 'world.db'))))
  assert.equal((await runWith(['serve', '--read-only', '--operator', '--port', '0'], { cwd })).code, 2)
})

test('the admin server reports health, and settings without secrets', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'name: Sol\n' })
  const flags = ['--public-url', 'http://sol.example', '--token', 'hush', '--admin-port', '0']
  const world = await serving(t, cwd, '--workers', '1', ...flags)
  const [, url = ''] = /Health: +(\S+)\/ready/.exec(world.greeting) ?? assert.fail(world.greeting)
  // On a busy machine the first search may take longer than the report waits for it.
  for (let times = 0; times < 100 && (await asked(`${url}/ready`)).body !== ALL_READY; times++)
    await pause(100)
  assert.equal((await asked(`${url}/ready`)).body, ALL_READY)
  for (const part of Object.keys(READY))
    assert.equal((await asked(`${url}/ready/${part}`)).body, '{"ready":true,"reasons":[]}\n')
  const { body } = await asked(`${url}/config`)
  assert.ok(!body.includes('hush'))
  const { settings } = JSON.parse(body)
  const shown = (name: string) => settings.find((one: { name: string }) => one.name === name)
  assert.deepEqual(shown('publicUrl'), { name: 'publicUrl', value: 'http://sol.example', from: 'flag' })
  assert.equal(shown('token').value, '********')
  assert.match((await asked(`${url}/metrics`)).body, /^world_info\{/m)
})
