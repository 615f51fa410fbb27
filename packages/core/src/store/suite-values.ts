/** Contract tests: named values that are not content. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenStore, planet, put } from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the tests of values beside the content for one engine. */
export function valueTests(open: OpenStore): void {
  test('values that are not content are written atomically with entities and have no version', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const before = [await store.version(), await store.types()]
    await store.write([], { values: { '~aside': '0' } })
    assert.deepEqual([await store.version(), await store.types()], before)
    await store.write([{ put: planet('mars') }], { values: { '~aside': '1', title: 'Sol' } })
    assert.deepEqual(await namedValue(store, '~aside'), { value: '1', version: '' })
    const refused = { values: { '~aside': '2' }, ifValues: { '~aside': '0' } }
    assert.deepEqual(await store.write([{ put: planet('venus') }], refused), {
      done: false,
      failedValue: '~aside',
    })
    assert.equal(await store.get('sol:planet', 'venus'), undefined)
    assert.deepEqual([...(await store.values('~as')).keys()], ['~aside'])
    assert.deepEqual([...(await store.values('')).keys()], ['title', '~aside'])
    assert.equal((await store.values('~aside-')).size, 0)
    await store.write([], { values: { '~aside': undefined } })
    assert.equal((await store.values('~')).size, 0)
  })
}
