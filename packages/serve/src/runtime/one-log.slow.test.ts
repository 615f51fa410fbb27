import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf, serving } from '../../../cli/src/serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n'
const ENTITY = '/api/world/v0/entities/sol%3Amoon/europa'

test('all processes write to one log that contains request ids', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const world = await serving(t, cwd, '--workers', '2', '--log-format', 'json')
  let text = world.greeting + (await world.until(/Workers ready.*\n/))
  const ids: (string | null)[] = []
  for (let count = 0; count < 8; count += 1) {
    const headers = { authorization: 'Bearer hush', connection: 'close' }
    const response = await fetch(`${world.url}${ENTITY}?token=hush`, { headers })
    await response.text()
    ids.push(response.headers.get('request-id'))
  }
  assert.equal(await world.stop(), 0)
  // The processes can exit in any order.
  while (!['Stopping', ...ids].every((said) => text.includes(String(said)))) text += await world.until(/\n/)
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const requests = records.filter(({ event }) => event === 'request')
  assert.deepEqual(requests.map(({ requestId }) => requestId).toSorted(), ids.toSorted())
  for (const { path, route, status, bytes, address } of requests) {
    assert.deepEqual([path, route, address], [ENTITY, '/api/world/v0/entities/{type}/{id}', '127.0.0.1'])
    assert.ok(status === 200 && bytes > 0)
  }
  // The operating system decides which worker serves a request.
  assert.ok(requests.every(({ pid }) => pid !== process.pid))
  assert.ok(!text.includes('hush'))
})

test('a startup failure is logged as a record', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'nmae: Sol\n' })
  const { code, err } = await runWith(['serve', '--log-format', 'json', '--port', '0'], { cwd })
  assert.equal(code, 1)
  const [{ level, msg }] = err
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(level, 'error')
  assert.match(msg, /world\.yaml:1: \/nmae is unknown/)
})

test('writes are audited even if requests are not logged', async (t) => {
  const definition = 'operator: true\nsources: [moons.ndjson]\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const { out } = await runWith(['token', 'create', '--scope', 'write:sol:moon', '--name', 'loader'], { cwd })
  const token = out.trim()
  for (const workers of ['1', '2']) {
    const flags = ['--workers', workers, '--log-format', 'json', '--no-access-log']
    const world = await serving(t, cwd, ...flags)
    const isAlone = workers === '1'
    if (!isAlone) await world.until(/Workers ready.*\n/)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const written = await fetch(`${world.url}/api/operator/v0/entities/sol:moon/io`, {
      method: 'PUT',
      headers,
      body: '{"attributes":{}}',
    })
    const { status } = written
    const text = await world.until(/"event":"audit".*\n/)
    const record = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')
    const { level, time: _, pid, ...entry } = record
    const requestId = written.headers.get('request-id') ?? assert.fail('no request id')
    const who = { event: 'audit', requestId, token: token.slice(3, 13), tokenName: 'loader' }
    assert.deepEqual(entry, { ...who, method: 'PUT', status, type: 'sol:moon', id: 'io' })
    assert.deepEqual([level, status, pid === process.pid], ['info', isAlone ? 201 : 200, isAlone])
    assert.equal(await world.stop(), 0)
    assert.ok(!(text + (await world.until(/Stopping.*\n/))).includes(token.slice(14)))
  }
})

test('the access log can be disabled or written as text', async (t) => {
  const cwd = await folderOf(t, { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': MOONS })
  const quiet = await serving(t, cwd, '--workers', '1', '--log-format', 'json', '--no-access-log')
  assert.equal((await fetch(quiet.url + ENTITY)).headers.get('request-id'), null)
  await quiet.stop()
  assert.doesNotMatch(await quiet.until(/Stopping.*\n/), /"event":"request"/)
  const plain = await serving(t, cwd, '--workers', '1', '--log-format', 'text', '--access-log')
  await fetch(plain.url + ENTITY, { headers: { 'request-id': 'mine' } })
  await plain.until(
    /^GET \/api\/world\/v0\/entities\/sol%3Amoon\/europa 200 [\d.]+ ms \d+ B 127\.0\.0\.1 mine\n/m,
  )
})
