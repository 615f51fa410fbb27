import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore, type ReplicaState } from '@worldwright/core/store'
import { createMetrics, metricsText } from './metrics.ts'

test('the metrics of a cluster have the lag of its index, once known, and the last error while there is one', async () => {
  const metrics = createMetrics()
  let state: ReplicaState = { currentAt: 0 }
  metrics.watchCluster(() => state)
  const said = async () =>
    (await metricsText([await metrics.snapshot()]))
      .split('\n')
      .filter((line) => /^worldwright_search/.test(line))
  assert.deepEqual(await said(), [])
  state = { currentAt: Date.now() - 90_000, lost: 'the mapping was refused' }
  const [lag = '', failing] = await said()
  assert.match(lag, /^worldwright_search_lag_seconds 9\d(\.\d+)?$/)
  assert.equal(failing, 'worldwright_search_failing{error="the mapping was refused"} 1')
  state = { currentAt: 0 }
  assert.deepEqual(await said(), [])
})

test('searches that check readiness are not counted, but those of clients are, with results or without', async () => {
  const metrics = createMetrics()
  const store = metrics.watchStore(createMemoryStore())
  const count = async () =>
    /world_search_duration_seconds_count\{outcome="complete"\} (\d+)/.exec(
      await metricsText([await metrics.snapshot()]),
    )?.[1]
  await store.find({ limit: 0, budgetMs: 100 })
  assert.equal(await count(), undefined)
  await store.find({ limit: 0, budgetMs: 100, client: { address: '', connection: 0 } })
  assert.equal(await count(), '1')
})
