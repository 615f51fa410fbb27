import { test } from 'node:test'
import { AskedStores } from './asked-stores.fixture.ts'

// In a file of its own, since the two take minutes and run side by side.
test('5,000 further queries have the answers of a plain program, after merges of updated segments', () => {
  using stores = new AskedStores()
  stores.update()
  stores.maintain()
  stores.compare(2_500, 3)
  stores.mergeAll()
  stores.compare(2_500, 4)
})
