import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  missingForOpenSearch,
  type OpenSearchCluster,
  startOpenSearch,
} from '../../../opensearch/src/opensearch.fixture.ts'
import { NO_POSTGRES, type PostgresServer, startPostgres } from '../../../postgres/src/server.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const FILES = {
  'world.yaml': 'id: urn:example:sol\nsources:\n  - file: moons.ndjson\n',
  'moons.ndjson':
    '{"type":"sol:moon","id":"europa","title":"Ice"}\n{"type":"sol:moon","id":"io","title":"Fire"}\n',
}

const skip = missingForOpenSearch()
let cluster: OpenSearchCluster
let server: PostgresServer | undefined

before(async () => {
  if (skip !== undefined) return
  ;[cluster, server] = await Promise.all([startOpenSearch(), startPostgres()])
})
after(async () => {
  await cluster?.end()
  await server?.end()
})

type Body = Record<string, unknown>

/** Polls until a condition holds. Returns the value. */
async function until<T>(ask: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('without the cluster, nodes with a replica search on, and the others say why they cannot', {
  skip,
}, async (t) => {
  if (server === undefined) return t.skip(NO_POSTGRES)
  const search = `opensearch://${cluster.hosts[0]}/sol?replicas=0`
  const node = async (store: string) => {
    const argv = ['--store', store, '--search', search, '--admin-port', '0', '--workers', '2']
    const world = await serving(t, await folderOf(t, FILES), ...argv)
    const admin = /Health: +(\S+)\/ready/.exec(world.greeting)?.[1] ?? assert.fail(world.greeting)
    const found = async () => {
      const response = await fetch(`${world.url}/api/world/v0/actions/wp:discover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { text: 'fire' } }),
      })
      const { output, details } = (await response.json()) as {
        output?: { entities: { id: string }[] }
        details?: Body
      }
      return output?.entities.map(({ id }) => id).join() ?? details ?? {}
    }
    const ready = async (part = '') => {
      const response = await fetch(`${admin}/ready${part}`)
      return { status: response.status, body: (await response.json()) as Body }
    }
    const metrics = async () => (await fetch(`${admin}/metrics`)).text()
    return { ids: world.ids, until: world.until, found, ready, metrics }
  }
  const whole = await node(server.url)
  const bare = await node(`${server.url}?cache=none`)
  const nodes = [whole, bare]
  for (const { found, ready, metrics } of nodes) {
    await until(found, (ids) => ids === 'io')
    assert.equal(
      (
        await until(
          () => ready('/search'),
          ({ status }) => status === 200,
        )
      ).status,
      200,
    )
    await until(metrics, (text) => /^worldwright_search_lag_seconds \d/m.test(text))
  }
  await cluster.kill(0)
  assert.equal(await whole.found(), 'io')
  const details = await until(bare.found, (said) => typeof said === 'object' && said['failing'] === true)
  assert.equal((details as Body)['reason'], 'search_unreachable')
  assert.ok(Number((details as Body)['lagSeconds']) > 0)
  await until(whole.metrics, (text) => /^worldwright_search_failing\{error="The search cluster/m.test(text))
  await whole.until(/is not fed, 3 times in succession: The search cluster gives no answer/)
  const [first, second] = [await whole.ready(), await bare.ready()]
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.match(String((first.body['cluster'] as Body)['lost']), /gives no answer/)
  assert.equal((await whole.ready('/search')).status, 200)
  const { status, body } = await bare.ready('/search')
  assert.deepEqual(
    [status, (body['reasons'] as Body[]).map(({ reason }) => reason)],
    [503, ['search', 'search']],
  )
  for (const { ids, ready } of nodes) {
    assert.deepEqual(await ids('sol:moon'), ['europa', 'io'])
    assert.equal((await ready('/reads')).status, 200)
    assert.equal((await ready('/writes')).status, 200)
  }
  await cluster.start(0)
  await until(bare.found, (ids) => ids === 'io')
  for (const { ready } of nodes) await until(ready, ({ body }) => !('lost' in (body['cluster'] as Body)))
  assert.equal((await bare.ready('/search')).status, 200)
})
