import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS = '{"type":"sol:moon","id":"europa"}\n{"type":"sol:moon","id":"io"}\n'

/** Opens an event stream on a new connection, so that successive streams go to different workers. */
async function streamFrom(url: string, token?: string): Promise<IncomingMessage> {
  const sent = get(`${url}/api/world/v0/changes?since=now`, {
    headers: { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }) },
    agent: new Agent(),
  })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  return response.setEncoding('utf8')
}

/** Collects the text of a stream. `until` waits for a substring, and `ended` waits for the end. */
function saidBy(stream: IncomingMessage) {
  let said = ''
  const chunks = stream[Symbol.asyncIterator]()
  const until = async (text: string) => {
    while (!said.includes(text)) {
      const { value, done } = await chunks.next()
      if (done) assert.fail(said)
      said += value
    }
  }
  const ended = async () => {
    for (let chunk = await chunks.next(); !chunk.done; chunk = await chunks.next()) said += chunk.value
    return said
  }
  return { until, ended }
}

test('the event streams of all workers receive each write once', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'operator: true\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const world = await serving(t, cwd, '--workers', '2')
  await world.until(/Workers ready.*\n/)
  const { out } = await runWith(['token', 'create', '--scope', 'write'], { cwd })
  const headers = { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' }
  const streams: ReturnType<typeof saidBy>[] = []
  for (let count = 0; count < 4; count++) streams.push(saidBy(await streamFrom(world.url)))
  for (const { until } of streams) await until('event: position')
  const ids = Array.from({ length: 12 }, (_, index) => `moon-${index}`)
  for (const id of ids) {
    const written = await fetch(`${world.url}/api/operator/v0/entities/sol%3Amoon/${id}`, {
      method: 'PUT',
      headers,
      body: '{"attributes":{}}',
    })
    assert.equal(written.status, 201)
    const position = written.headers.get('worldwright-position') ?? assert.fail()
    // Every worker returns the written entity.
    const read = await fetch(`${world.url}/api/world/v0/entities/sol%3Amoon/${id}`, {
      headers: { 'worldwright-after': position },
    })
    assert.equal(read.status, 200)
  }
  for (const { until } of streams) await until('"id":"moon-11"')
  const ended = Promise.all(streams.map(({ ended }) => ended()))
  assert.equal(await world.stop(), 0)
  for (const said of await ended) {
    const heard = [...said.matchAll(/^event: change\nid: \S+\ndata: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data).id,
    )
    assert.deepEqual(heard, ids)
    assert.match(said, /\n\nevent: goodbye\ndata: \{\}\n\n$/)
  }
})

test('an event stream of a private world ends when its token is revoked by another process', async (t) => {
  const cwd = await folderOf(t, {
    'world.yaml': 'operator: true\nprivate: true\nsources: [moons.ndjson]\n',
    'moons.ndjson': MOONS,
  })
  const world = await serving(t, cwd)
  const tokenFor = async (scope: string) =>
    (await runWith(['token', 'create', '--scope', scope], { cwd })).out.trim()
  const [reader, writer] = [await tokenFor('read'), await tokenFor('write')]
  const { until, ended } = saidBy(await streamFrom(world.url, reader))
  await until('event: position')
  const put = async (id: string) => {
    const { status } = await fetch(`${world.url}/api/operator/v0/entities/sol%3Amoon/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      body: '{"attributes":{}}',
    })
    assert.equal(status, 201)
  }
  await put('ganymede')
  await until('"id":"ganymede"')
  const id = /^ww_([0-9a-f]+)_/.exec(reader)?.[1] ?? assert.fail(reader)
  assert.equal((await runWith(['token', 'revoke', id], { cwd })).code, 0)
  await put('callisto')
  const said = await ended()
  assert.doesNotMatch(said, /callisto/)
  assert.match(said, /\n\nevent: goodbye\ndata: \{\}\n\n$/)
})

test('tombstone retention can be set by definition, environment or flag, and is declared in discovery', async (t) => {
  const definition = 'retentionDays: 7\nsources: [moons.ndjson]\n'
  const cwd = await folderOf(t, { 'world.yaml': definition, 'moons.ndjson': MOONS })
  const declared = async (flags: readonly string[], env: Record<string, string>) => {
    const { out, err } = await runWith(['config', '.', ...flags], { cwd, env })
    assert.equal(err, '')
    return /retentionDays\s+(\d+)/.exec(out)?.[1]
  }
  assert.equal(await declared([], {}), '7')
  assert.equal(await declared([], { WORLD_RETENTION_DAYS: '8' }), '8')
  assert.equal(await declared(['--retention-days', '9'], { WORLD_RETENTION_DAYS: '8' }), '9')
  const world = await serving(t, cwd, '--workers', '1', '--retention-days', '9')
  const { extensions } = Object(await (await fetch(`${world.url}/.well-known/world.json`)).json())
  assert.equal(extensions['worldwright:changes'].retentionDays, 9)
})
