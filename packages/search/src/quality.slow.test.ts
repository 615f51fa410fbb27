import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { qualityOf } from '../../../bench/search/quality.ts'

const data = new URL('../../../../shared/data/', import.meta.url)
const missing = !existsSync(data)
/** The smaller sets; the benchmark measures the others. */
const BARS = { medline: 0.7, 'er-abt-buy': 0.85 }

test('judged queries find the documents they should', {
  skip: missing && process.env['CI'] !== 'true' && 'the judged sets are not beside the repository',
}, async () => {
  assert.ok(!missing, 'the judged sets must lie in ../shared/data')
  for (const [set, bar] of Object.entries(BARS)) {
    const { ndcg } = await qualityOf(data, set)
    assert.ok(ndcg >= bar, `${set}: ${ndcg}`)
  }
})
