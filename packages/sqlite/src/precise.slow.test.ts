import { test } from 'node:test'
import { AskedStores } from './asked-stores.fixture.ts'

test('5,000 queries over 50,000 documents have the answers of a plain program, before and after updates', () => {
  using stores = new AskedStores()
  stores.compare(2_500, 1)
  stores.update()
  stores.compare(2_500, 2)
})
