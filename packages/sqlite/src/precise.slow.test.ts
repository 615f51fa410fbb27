import { test } from 'node:test'
import { AskedStores, QUERIES } from './asked-stores.fixture.ts'

test('queries over 4,000 documents match a reference implementation', () => {
  using stores = new AskedStores()
  stores.compare(QUERIES, 1)
  stores.update()
  stores.compare(QUERIES, 2)
})
