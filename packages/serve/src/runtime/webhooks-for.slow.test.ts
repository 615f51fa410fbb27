import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '@worldwright/engines'
import { createToken } from '@worldwright/extensions/operator'
import { folderOf } from '../../../cli/src/serving.fixture.ts'
import { hookedWorld, receiver, SECRET } from '../../../extensions/src/webhooks/receiver.fixture.ts'
import { NO_POSTGRES, startPostgres } from '../../../postgres/src/server.fixture.ts'

const WRITES = 1_000
const KILLS = 8

test('of 1,000 writes between kills of the server and failures of the receiver, none is lost', async (t) => {
  const { url, received, ids, until } = await receiver(t, (response, count) => {
    response.writeHead(count % 10 === 0 ? 500 : 204).end()
  })
  const cwd = await folderOf(t, {
    'world.yaml': `types: [{ type: sol:moon }]\nwebhooks: [{ url: "${url}", secret: $HOOK }]\n`,
  })
  const store = await openStore(`sqlite:${join(cwd, 'world.db')}`, { role: 'writer' })
  const { token } = await createToken(store, { scopes: ['write'] })
  // The webhook begins before the first write.
  await (await hookedWorld(t, store).deliver(url)).stop()
  await store.close()
  const written: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const world = await served(t, cwd)
    for (let count = 0; count < WRITES / KILLS; count++) {
      const id = `m${written.length}`
      const answer = await fetch(`${world.url}/api/operator/v0/entities/sol%3Amoon/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'sol:moon', id, attributes: {} }),
      })
      assert.equal(answer.status, 201, await answer.text())
      written.push(id)
    }
    await world.kill()
  }
  await served(t, cwd)
  const missing = new Set(written)
  await until(() => {
    for (const id of ids()) missing.delete(id)
    return missing.size === 0
  })
  const firsts = [...new Set(ids())]
  assert.deepEqual(firsts, written)
  t.diagnostic(`${received.length} requests with ${ids().length} changes`)
})

test('a receiver that never answers is asked again after 15 seconds, with growing pauses', async (t) => {
  const { url, received, until } = await receiver(t, () => {})
  const world = hookedWorld(t)
  await world.deliver(url)
  await world.put('sol:moon', 'io')
  await until(() => received.length === 3)
  const [first, second, third] = received.map(({ at }) => at)
  assert.ok(first && second && third)
  assert.ok(second - first >= 15_000 && third - second >= 16_000, `${second - first}, ${third - second}`)
  assert.match(world.said[0] ?? '', /failed: .*timeout.* Trying again in 1 s/)
})

test('of two nodes over PostgreSQL one sends, and the other one goes on when it stops', async (t) => {
  const server = await startPostgres()
  if (!server) return t.skip(NO_POSTGRES)
  t.after(() => server.end())
  const { url, ids, until } = await receiver(t)
  const nodes = await Promise.all(
    [0, 1].map(async () => {
      const cache = join(await folderOf(t, {}), 'cache')
      const store = await openStore(`${server.url}?cache=${cache}`, { role: 'writer' })
      return hookedWorld(t, store)
    }),
  )
  const [one, other] = nodes
  assert.ok(one && other)
  const first = await one.deliver(url)
  const second = await other.deliver(url)
  const moons = Array.from({ length: 20 }, (_, index) => `m${index}`)
  for (const [index, id] of moons.entries()) {
    await (index % 2 === 0 ? one : other).put('sol:moon', id)
    await until(() => ids().includes(id))
  }
  assert.deepEqual(ids(), moons)
  await first.stop()
  await one.put('sol:moon', 'last')
  await until(() => ids().includes('last'))
  assert.deepEqual([...new Set(ids())], [...moons, 'last'])
  assert.deepEqual([...one.said, ...other.said], [])
  await second.stop()
  for (const { store } of nodes) await store.close()
})

/** Serves a folder in a process until it is killed. */
async function served(t: TestContext, cwd: string) {
  const main = join(import.meta.dirname, '../../../cli/src/main.ts')
  const argv = [
    '--conditions=@worldwright/source',
    main,
    'serve',
    cwd,
    '--operator',
    '--port',
    '0',
    '--workers',
    '1',
  ]
  const env = { ...process.env, HOOK: SECRET, WORLD_LOG_FORMAT: 'text' }
  const world = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], env })
  t.after(() => world.kill('SIGKILL'))
  let said = ''
  world.stderr.on('data', (chunk) => {
    said += chunk
  })
  for (;;) {
    const url = /Serving at (\S+)/.exec(said)?.[1]
    if (url !== undefined && /Read it:/.test(said))
      return {
        url,
        async kill() {
          world.kill('SIGKILL')
          await once(world, 'exit')
        },
      }
    assert.equal(world.exitCode, null, said)
    await pause(50)
  }
}
