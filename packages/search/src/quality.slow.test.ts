import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { qualityOf } from '../../../bench/search/quality.ts'

const data = new URL('../../../../shared/data/', import.meta.url)
const missing = !existsSync(data)
/** Minimum scores on the smaller data sets. The benchmark measures the larger ones. */
const BARS = { medline: 0.7, 'er-abt-buy': 0.85 }

test('search quality on judged queries reaches the minimum scores', {
  skip:
    missing && process.env['CI'] !== 'true' && 'not run: this machine has no judged sets beside the checkout',
}, async () => {
  assert.ok(!missing, 'the judged sets must lie in ../shared/data')
  for (const [set, bar] of Object.entries(BARS)) {
    const { ndcg } = await qualityOf(data, set)
    assert.ok(ndcg >= bar, `${set}: ${ndcg}`)
  }
})
