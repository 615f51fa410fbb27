import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingForOpenSearch, startOpenSearch } from '../../../server/src/opensearch/opensearch.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf, serving } from '../serving.fixture.ts'

const MOONS =
  '{"type":"sol:moon","id":"europa","title":"Ice"}\n{"type":"sol:moon","id":"io","title":"Fire"}\n'

test('a world is searched by a cluster, which is verified, rebuilt, and missed', {
  skip: missingForOpenSearch(),
}, async (t) => {
  const cluster = await startOpenSearch()
  t.after(() => cluster.end())
  const search = `opensearch://${cluster.hosts[0]}/sol?replicas=0`
  const cwd = await folderOf(t, {
    'moons.ndjson': MOONS,
    'world.yaml': 'name: Sol\nsources:\n  - file: moons.ndjson\n',
  })
  const { url, ids } = await serving(t, cwd, '--search', search)
  const found = async (text: string, isCold = false) => {
    for (;;) {
      const response = await fetch(`${url}/api/world/v0/actions/wp:discover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ input: { text } }),
      })
      const body = (await response.json()) as {
        output?: { entities: { id: string }[] }
        details?: { reason?: string }
      }
      // A cluster that has just begun may not answer within the time of a search.
      const { reason } = body.details ?? {}
      if (reason === 'index_rebuilding' || (isCold && body.output === undefined)) continue
      return body.output?.entities.map(({ id }) => id) ?? [response.status, reason]
    }
  }
  assert.deepEqual(await found('ice', true), ['europa'])
  const verify = () => runWith(['verify', '--search', search], { cwd })
  assert.equal((await verify()).code, 0)
  const rebuilt = await runWith(['admin', 'search', 'rebuild', '--search', search], { cwd })
  assert.equal(rebuilt.code, 0, rebuilt.err)
  assert.equal((await verify()).code, 0)
  await cluster.kill(0)
  assert.deepEqual(await found('fire'), [503, 'search_unreachable'])
  assert.deepEqual(await ids('sol:moon'), ['europa', 'io'])
})
