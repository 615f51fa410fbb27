import { test } from 'node:test'
import { AskedStores, QUERIES } from './asked-stores.fixture.ts'

// Kept in a separate file, because both tests take long and can run in parallel.
test('queries after merges of updated segments match a reference implementation', () => {
  using stores = new AskedStores()
  stores.update()
  stores.maintain()
  stores.compare(QUERIES, 3)
  stores.mergeAll()
  stores.compare(QUERIES, 4)
})
