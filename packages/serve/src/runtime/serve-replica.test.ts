import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { runWith } from '../../../cli/src/memory-io.fixture.ts'
import { folderOf, serving } from '../../../cli/src/serving.fixture.ts'
import { answered, upstreamFixture } from './upstream.fixture.ts'

const MOONS = '/api/world/v0/entities/sol%3Amoon'

/** Returns the status, entity tag and body of a list. */
async function listed(url: string, query = '') {
  const response = await fetch(`${url}${MOONS}${query}`)
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: await response.text(),
  }
}

test('a replica follows its upstream and serves the same entity tags and cursors', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('Moon', 'europa', 'io', 'ganymede')
  const cwd = await folderOf(t, {})
  const replica = await serving(t, cwd, '--follow', upstream.url, '--workers', '1')
  assert.match(
    replica.greeting,
    /Copying http.*\nCaught up with .* after 3 changes\.\nSol\n {2}sol:moon {2}3\n/,
  )
  assert.deepEqual(await listed(replica.url, '?limit=2'), await listed(upstream.url, '?limit=2'))
  const [mine, theirs] = await Promise.all([replica.url, upstream.url].map((url) => connect(url)))
  assert.deepEqual(mine?.document.world, theirs?.document.world)
  assert.deepEqual(mine?.document.entityTypes, theirs?.document.entityTypes)
  assert.equal(mine?.document.endpoints.api, `${replica.url}/api/world/v0`)
  await upstream.put('Moon', 'callisto')
  const wanted = await listed(upstream.url)
  const seen = await answered(
    () => listed(replica.url),
    ({ etag }) => etag === wanted.etag,
  )
  assert.deepEqual(seen, wanted)
  assert.equal((await fetch(replica.url + MOONS)).headers.get('worldwright-lag'), '0.0')
  const shown = await runWith(['get', replica.url, 'sol:moon', 'callisto', '--json'])
  assert.equal(JSON.parse(shown.out).title, 'Moon')
  assert.equal(await replica.stop(), 0)
})

test('a replica keeps serving without its upstream, even after a restart', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('Moon', 'io')
  const cwd = await folderOf(t, {})
  const first = await serving(t, cwd, '--follow', upstream.url, '--workers', '1')
  const wanted = await listed(upstream.url)
  await upstream.stop()
  await first.until(/cannot be followed; serving what is here, and trying again\..*\n/)
  assert.deepEqual(await listed(first.url), wanted)
  assert.equal(await first.stop(), 0)
  const second = await serving(t, cwd, '--follow', upstream.url, '--workers', '1')
  assert.deepEqual(await listed(second.url), wanted)
  const lag = Number((await fetch(second.url + MOONS)).headers.get('worldwright-lag'))
  assert.ok(lag > 0 && lag < 600, `${lag}`)
  await upstream.start()
  await upstream.put('Moon', 'europa')
  await second.until(/Caught up with/)
  assert.deepEqual(await listed(second.url), await listed(upstream.url))
})

test('all workers, metrics and /ready report the status of the replica', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('Moon', 'io')
  const argv = ['--follow', upstream.url, '--workers', '2', '--admin-port', '0']
  const replica = await serving(t, await folderOf(t, {}), ...argv)
  const metrics = /Metrics: +(\S+)/.exec(replica.greeting)?.[1] ?? assert.fail(replica.greeting)
  if (!/Workers ready/.test(replica.greeting)) await replica.until(/Workers ready/)
  assert.equal((await fetch(metrics.replace('/metrics', '/ready'))).status, 200)
  assert.match(await (await fetch(metrics)).text(), /^worldwright_replica_lag_seconds 0$/m)
  const lags = async () =>
    Promise.all(
      Array.from({ length: 8 }, async () => {
        // Each request uses a new connection, so that every worker receives some.
        const response = await fetch(replica.url + MOONS, { headers: { connection: 'close' } })
        assert.equal(response.status, 200)
        return Number(response.headers.get('worldwright-lag'))
      }),
    )
  assert.deepEqual(await lags(), Array(8).fill(0))
  await upstream.stop()
  await answered(lags, (all) => all.every((lag) => lag > 0))
  assert.match(await (await fetch(metrics)).text(), /^worldwright_replica_lag_seconds (?!0$)/m)
  const write = await fetch(`${replica.url}/api/operator/v0/entities/sol%3Amoon/io`, { method: 'DELETE' })
  assert.deepEqual(
    [write.status, ((await write.json()) as { details: object }).details],
    [421, { owner: upstream.url }],
  )
})

test('a replica is not ready before its first copy is complete', async (t) => {
  const upstream = await upstreamFixture(t)
  await upstream.put('Moon', 'io')
  const held = Promise.withResolvers<void>()
  // A proxy in front of the upstream delays changes until the test releases them, and advertises no event stream.
  const front = createServer(async (request, response) => {
    if (request.url?.includes('/changes')) await held.promise
    try {
      const answer = await fetch(upstream.url + request.url)
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end((await answer.text()).replace(upstream.url, origin).replace('text/event-stream', ''))
    } catch {
      response.destroy()
    }
  }).listen(0, '127.0.0.1')
  t.after(() => front.close())
  await once(front, 'listening')
  const origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const argv = ['--follow', origin, '--workers', '1', '--admin-port', `${port}`]
  const starting = serving(t, await folderOf(t, {}), ...argv)
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ status }) => status,
      () => 0,
    )
  assert.equal(await answered(ready, (status) => status !== 0), 503)
  held.resolve()
  await starting
  assert.equal(await ready(), 200)
})

test('an invalid combination of replica, upstream and store is refused', async (t) => {
  const upstream = await upstreamFixture(t)
  const other = await upstreamFixture(t)
  await upstream.put('Moon', 'io')
  const cwd = await folderOf(t, {
    'world.yaml': 'id: urn:example:mine\n',
    'a.ndjson': '{"type":"a:b","id":"c"}\n',
  })
  const run = (...argv: string[]) => runWith([...argv, '--port', '0'], { cwd })
  assert.deepEqual((await run('serve', '.', '--follow', upstream.url)).code, 2)
  assert.deepEqual((await run('serve', '--operator', '--follow', upstream.url)).code, 2)
  const secret = await run('serve', '--follow', (await upstreamFixture(t, true)).url)
  assert.equal(secret.code, 2)
  assert.match(secret.err, /is private, and so is its replica: add --private/)
  await runWith(['import', 'a.ndjson', '--store', 'sqlite:own.db'], { cwd })
  const own = await run('serve', '--follow', upstream.url, '--store', 'sqlite:own.db')
  assert.equal(own.code, 1)
  assert.match(own.err, /holds entities of its own/)
  await (await serving(t, cwd, '--follow', other.url, '--workers', '1')).stop()
  const plain = await run('serve', '--store', 'sqlite:copy.db')
  assert.equal(plain.code, 2)
  assert.match(plain.err, /is a replica of http/)
  const imported = await runWith(['import', 'a.ndjson', '--store', 'sqlite:copy.db'], { cwd })
  assert.match(imported.err, /is a replica of http/)
})
