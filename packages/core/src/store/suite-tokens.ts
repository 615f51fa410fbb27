/** Contract tests: tokens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenStore, planet, put } from './suite-data.ts'
import { createTokens } from './tokens.ts'
import { namedValue } from './values.ts'

/** Registers the token tests for one engine. */
export function tokenTests(open: OpenStore): void {
  test('tokens can be stored, listed by id, replaced and removed', async (t) => {
    const tokens = createTokens((await open(t)).store)
    assert.deepEqual([await tokens.list(), await tokens.get('a')], [[], undefined])
    for (const id of ['b', 'a', 'c']) await tokens.put(id, `value of ${id}`)
    assert.deepEqual(
      (await tokens.list()).map(({ id }) => id),
      ['a', 'b', 'c'],
    )
    assert.deepEqual(await tokens.get('a'), { id: 'a', value: 'value of a' })
    await tokens.put('a', 'another')
    assert.deepEqual(await tokens.get('a'), { id: 'a', value: 'another' })
    assert.deepEqual([await tokens.remove('a'), await tokens.remove('a')], [true, false])
    assert.equal(await tokens.get('a'), undefined)
    assert.equal((await tokens.list()).length, 2)
  })

  test('the last use of a token is recorded unless the token was removed', async (t) => {
    const tokens = createTokens((await open(t)).store)
    await tokens.put('a', 'value')
    for (const at of ['2026-03-01T09:00:00.000Z', '2026-03-01T09:01:00.000Z']) {
      await tokens.noteUse('a', at)
      assert.deepEqual(await tokens.list(), [{ id: 'a', value: 'value', lastUsed: at }])
    }
    await tokens.remove('a')
    await tokens.noteUse('a', '2026-03-01T09:02:00.000Z')
    assert.deepEqual(await tokens.list(), [])
  })

  test('token changes affect no version, and tokens are not content values', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    const before = [await store.version(), await store.types()]
    const tokens = createTokens(store)
    await tokens.put('a', 'value')
    await tokens.noteUse('a', '2026-03-01T09:00:00.000Z')
    assert.equal(await namedValue(store, 'a'), undefined)
    await tokens.remove('a')
    assert.deepEqual([await store.version(), await store.types()], before)
  })

  test('values that are not content are written atomically with entities and have no version', async (t) => {
    const { store } = await open(t)
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
