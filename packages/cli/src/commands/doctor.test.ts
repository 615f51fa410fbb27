import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createWorld, type WorldHandler, type WorldRequest } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { listen } from '@worldwright/node'
import { runWith } from '../memory-io.fixture.ts'

/** Serves a world on a free port, with `between` acting as a proxy in front of it. */
async function deployed(
  t: TestContext,
  between: (handler: WorldHandler) => WorldHandler['handle'],
  options: { publicUrl?: string } = {},
) {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const world = createWorld({ id: 'urn:x:sol', types: [{ type: 'sol:moon' }], store, ...options })
  const listening = await listen({ ...world, handle: between(world) }, { port: 0 })
  t.after(() => listening.close())
  return listening.url
}

test('doctor reports no findings for a world without a proxy', async (t) => {
  const url = await deployed(t, (world) => world.handle)
  const { code, out, err } = await runWith(['doctor', url])
  assert.deepEqual([code, out, err], [0, '', `${url}: nothing is wrong.\n`])
  const below = await runWith(['doctor', `${url}/collections/`])
  assert.equal(below.code, 0)
  assert.match(
    below.err,
    /^A world needs a host name of its own: \S+ is examined, without \/collections\/\.\n/,
  )
})

test('an address with a path, on a host that is no world, is told the two ways out', async (t) => {
  const site = createServer((_, response) => response.writeHead(404).end('none')).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => site.close())
  const { port } = site.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const { code, out } = await runWith(['doctor', `${origin}/collections/`])
  assert.equal(code, 1)
  assert.match(out, /^path {2}\S+\/collections\/ has a path\. A world needs a host name of its own: /)
  assert.ok(out.includes(` --public-url ${origin} --api-url ${origin}/collections/api. `), out)
  assert.doesNotMatch(out, /location \/ /)
  assert.match((await runWith(['doctor', origin])).out, /^not_the_world /)
})

test('a finding describes the fault and the setting that fixes it', async (t) => {
  const decoding = (world: WorldHandler) => (request: WorldRequest) =>
    world.handle({ ...request, target: request.target.replaceAll('%2F', '/') })
  const url = await deployed(t, decoding)
  const { code, out, err } = await runWith(['doctor', url, '--proxy', 'nginx'])
  assert.equal(code, 1)
  assert.match(
    out,
    /^encoded_slash {2}An id with a slash, sent as doctor%2Fprobe, was answered with 404 not_found\.\n/,
  )
  assert.match(
    out,
    /\n {2}nginx: proxy_pass http:\/\/world; with nothing behind the name, no rewrite, no \$uri\n$/,
  )
  assert.doesNotMatch(out, /apache/)
  assert.match(err, /1 finding\.\n$/)
})

test('advice names the examined origin', async (t) => {
  const url = await deployed(t, ({ handle }) => handle, { publicUrl: 'http://localhost:1' })
  const { out } = await runWith(['doctor', url])
  assert.match(out, new RegExp(`^address .*\\n {2}world: --public-url ${url}: the address that readers use`))
  const [{ world }] = JSON.parse((await runWith(['doctor', url, '--json'])).out).findings
  assert.ok(world.startsWith(`--public-url ${url}: `), world)
})

test('doctor reports a replica only if it lags far behind', async (t) => {
  for (const [lag, code] of [
    ['0.4', 0],
    ['61.0', 1],
  ] as const) {
    const url = await deployed(t, (world) => async (request) => {
      const answer = await world.handle(request)
      return { ...answer, headers: { ...answer.headers, 'worldwright-lag': lag } }
    })
    const result = await runWith(['doctor', url])
    assert.equal(result.code, code, result.out)
    if (code === 1) assert.match(result.out, /^behind {2}It is a replica, 61 s behind\.\n/)
  }
})

test('doctor reports an unreachable world and refuses an invalid address', async () => {
  const { code, out } = await runWith(['doctor', 'http://127.0.0.1:1', '--json'])
  assert.deepEqual([code, JSON.parse(out).findings[0].name], [1, 'unreachable'])
  assert.equal((await runWith(['doctor', 'http://'])).code, 2)
})
