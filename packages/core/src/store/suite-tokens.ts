/** Contract tests: tokens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OpenStore, planet, put } from './suite-data.ts'
import { createTokens } from './tokens.ts'
import { namedValue } from './values.ts'

/** Registers the tests of tokens for one engine. */
export function tokenTests(open: OpenStore): void {
  test('tokens are kept, listed by id, replaced and removed', async (t) => {
    const tokens = createTokens((await open(t)).storage)
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

  test('the last use of a token is recorded, unless the token is gone', async (t) => {
    const tokens = createTokens((await open(t)).storage)
    await tokens.put('a', 'value')
    for (const at of ['2026-03-01T09:00:00.000Z', '2026-03-01T09:01:00.000Z']) {
      await tokens.noteUse('a', at)
      assert.deepEqual(await tokens.list(), [{ id: 'a', value: 'value', lastUsed: at }])
    }
    await tokens.remove('a')
    await tokens.noteUse('a', '2026-03-01T09:02:00.000Z')
    assert.deepEqual(await tokens.list(), [])
  })

  test('token changes move no version, and tokens are not values of the content', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    const before = [await storage.version(), await storage.types()]
    const tokens = createTokens(storage)
    await tokens.put('a', 'value')
    await tokens.noteUse('a', '2026-03-01T09:00:00.000Z')
    assert.equal(await namedValue(storage, 'a'), undefined)
    await tokens.remove('a')
    assert.deepEqual([await storage.version(), await storage.types()], before)
  })

  test('values beside the content are written with entities or not at all, and have no version', async (t) => {
    const { storage } = await open(t)
    await storage.write([{ put: planet('mars') }], { values: { '~aside': '1', title: 'Sol' } })
    assert.deepEqual(await namedValue(storage, '~aside'), { value: '1', version: '' })
    const refused = { values: { '~aside': '2' }, ifValues: { '~aside': '0' } }
    assert.deepEqual(await storage.write([{ put: planet('venus') }], refused), {
      done: false,
      failedValue: '~aside',
    })
    assert.equal(await storage.get('sol:planet', 'venus'), undefined)
    assert.deepEqual([...(await storage.values('~as')).keys()], ['~aside'])
    assert.deepEqual([...(await storage.values('')).keys()], ['title', '~aside'])
    assert.equal((await storage.values('~aside-')).size, 0)
    await storage.write([], { values: { '~aside': undefined } })
    assert.equal((await storage.values('~')).size, 0)
  })
}
