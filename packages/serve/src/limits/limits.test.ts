import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf, serving } from '../../../cli/src/serving.fixture.ts'
import { RateLimit, type Uses } from './rate-limit.ts'

const FILES = { 'world.yaml': 'sources: [moons.ndjson]\n', 'moons.ndjson': '{"type":"sol:moon","id":"io"}\n' }
const IO = '/api/world/v0/entities/sol%3Amoon/io'

test('an address over its rate limit gets 429 with a retry time and the download URL', async (t) => {
  const world = await serving(t, await folderOf(t, FILES), '--workers', '1', '--rate-limit', '2')
  const fields = async (headers = {}) => {
    const response = await fetch(world.url + IO, { headers })
    return { response, left: response.headers.get('ratelimit'), body: JSON.parse(await response.text()) }
  }
  const first = await fields()
  assert.equal(first.response.status, 200)
  assert.equal(first.response.headers.get('ratelimit-policy'), '"requests";q=2;w=60')
  assert.match(first.left ?? '', /^"requests";r=1;t=\d+$/)
  assert.match((await fields()).left ?? '', /^"requests";r=0;t=/)
  const { response, body } = await fields({ 'request-id': 'mine' })
  assert.equal(response.status, 429)
  assert.equal(response.headers.get('world-error-code'), 'rate_limited')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  const seconds = Number(response.headers.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 60)
  const download = `${world.url}/download/world.ndjson`
  assert.deepEqual(body, {
    code: 'rate_limited',
    message: `Too many requests. Go on in ${seconds} s. The whole world is one download: ${download}`,
    details: { retryAfterSeconds: seconds, download },
    requestId: 'mine',
  })
})

test('a valid token has its own count, and an invalid one counts against its address', async (t) => {
  const cwd = await folderOf(t, FILES)
  const world = await serving(t, cwd, '--workers', '1', '--rate-limit', '1', '--operator')
  const { out } = await runWith(['token', 'create', '--scope', 'read'], { cwd })
  const status = async (token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return (await fetch(world.url + IO, { headers })).status
  }
  const invented = (digit: string) => `ww_${digit.repeat(10)}_${'x'.repeat(43)}`
  assert.deepEqual(
    [await status(invented('1')), await status(invented('2')), await status()],
    [200, 429, 429],
  )
  assert.deepEqual([await status(out.trim()), await status(out.trim())], [200, 429])
})

test('the rate limit applies to the address that a trusted proxy names', async (t) => {
  const flags = ['--rate-limit', '1', '--trusted-proxies', '127.0.0.1']
  const world = await serving(t, await folderOf(t, FILES), '--workers', '1', ...flags)
  const status = async (address: string) =>
    (await fetch(world.url + IO, { headers: { 'x-forwarded-for': address } })).status
  assert.deepEqual(
    [await status('203.0.113.1'), await status('203.0.113.1'), await status('203.0.113.2')],
    [200, 429, 200],
  )
})

test('processes share their request counts', async (t) => {
  // The timer that shares counts does not keep a process alive.
  const alive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(alive))
  const [one, two] = [new RateLimit(10), new RateLimit(10)]
  const shared = Promise.withResolvers<Uses>()
  one.shareWith(shared.resolve)
  for (let count = 0; count < 7; count += 1) one.take('a')
  one.take('b')
  const uses = await shared.promise
  assert.deepEqual(uses, [
    ['a', 7],
    ['b', 1],
  ])
  two.note(uses)
  assert.equal(two.take('a').remaining, 2)
  assert.equal(two.take('b').remaining, 8)
  for (const isSpent of [false, false, true]) assert.equal(two.take('a').isSpent, isSpent)
})

test('workers enforce a common rate limit', async (t) => {
  const world = await serving(t, await folderOf(t, FILES), '--workers', '2', '--rate-limit', '4')
  await world.until(/Workers ready.*\n/)
  const statuses: number[] = []
  // Wait until each worker knows the other's count. Each request uses a new connection, so that the workers take turns.
  while (statuses.length < 40 && statuses.slice(-2).join() !== '429,429') {
    const response = await fetch(world.url + IO, { headers: { connection: 'close' } })
    statuses.push(response.status)
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const answered = statuses.filter((status) => status === 200).length
  // Without sharing, each worker would have accepted 4 requests.
  assert.ok(answered >= 4 && answered < 8, String(statuses))
})

test('connections beyond the per-address limit are closed immediately and logged', async (t) => {
  const flags = ['--connections-per-address', '1', '--log-format', 'text']
  const world = await serving(t, await folderOf(t, FILES), '--workers', '1', ...flags)
  const { port } = new URL(world.url)
  const first = connect(Number(port), '127.0.0.1')
  await once(first, 'connect')
  const ask = `GET ${IO} HTTP/1.1\r\nHost: h\r\n\r\n`
  first.write(ask)
  await once(first, 'data')
  const second = connect(Number(port), '127.0.0.1')
  second.on('error', () => {})
  await once(second, 'close')
  assert.equal(second.bytesRead, 0)
  await world.until(/A connection of 127\.0\.0\.1 was refused, as it has 1 open\./)
  first.destroy()
  await once(first, 'close')
  // The server notices the closed connection asynchronously.
  for (;;) {
    const third = connect(Number(port), '127.0.0.1')
    third.on('error', () => {})
    third.end(ask.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    if ((await text(third).catch(() => '')).startsWith('HTTP/1.1 200')) break
  }
})

test('robots.txt lists what may be crawled and the download URL', async (t) => {
  const cwd = await folderOf(t, FILES)
  const robots = async (...flags: string[]) => {
    const world = await serving(t, cwd, '--workers', '1', ...flags)
    const response = await fetch(`${world.url}/robots.txt`)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    const said = (await response.text()).replaceAll(world.url, '')
    await world.stop()
    return said
  }
  const download = '# The whole world is one download: /download/world.ndjson\n'
  const sitemap = '\nSitemap: /sitemap.xml\n'
  assert.equal(await robots(), `${download}User-agent: *\nDisallow:\n${sitemap}`)
  assert.equal(
    await robots('--robots', 'page'),
    `${download}User-agent: *\nDisallow: /api/world/v0/\n${sitemap}`,
  )
  assert.equal(await robots('--robots', 'none'), 'User-agent: *\nDisallow: /\n')
  assert.equal(await robots('--private'), 'User-agent: *\nDisallow: /\n')
  assert.equal(await robots('--no-downloads', '--no-pages'), 'User-agent: *\nDisallow:\n')
  assert.match(
    await robots('--training', 'refuse'),
    /\n\nUser-agent: AI2Bot\n(?:User-agent: \S+\n)+Disallow: \/\n\nSitemap: /,
  )
})
