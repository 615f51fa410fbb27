import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createWorld, type WorldHandler, type WorldRequest } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { listen } from '@worldwright/node'
import { runWith } from '../memory-io.fixture.ts'

/** Serves a world on a port, with `between` in front of it like a proxy. */
async function deployed(t: TestContext, between: (handler: WorldHandler) => WorldHandler['handle']) {
  const storage = createMemoryStore()
  await storage.write([{ put: { type: 'sol:moon', id: 'io', attributes: {} } }])
  const world = createWorld({ id: 'urn:x:sol', types: [{ type: 'sol:moon' }], store: storage })
  const listening = await listen({ ...world, handle: between(world) }, { port: 0 })
  t.after(() => listening.close())
  return listening.url
}

test('a world that is reached directly has no findings', async (t) => {
  const url = await deployed(t, (world) => world.handle)
  const { code, out, err } = await runWith(['doctor', url])
  assert.deepEqual([code, out, err], [0, '', `${url}: nothing is wrong.\n`])
})

test('a finding says what happened and which setting fixes it', async (t) => {
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

test('a replica that lags far behind is a finding, and one that keeps up is not', async (t) => {
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
    if (code === 1) assert.match(result.out, /^behind {2}It is a copy, and 61 s behind\.\n/)
  }
})

test('an unreachable world is a finding, and an invalid address is wrong usage', async () => {
  const { code, out } = await runWith(['doctor', 'http://127.0.0.1:1', '--json'])
  assert.deepEqual([code, JSON.parse(out).findings[0].name], [1, 'unreachable'])
  assert.equal((await runWith(['doctor', 'http://'])).code, 2)
})
