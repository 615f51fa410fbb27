import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { createTokens } from './stored-tokens.ts'

test('tokens can be stored, listed by id, replaced and removed', async () => {
  const tokens = createTokens(createMemoryStore())
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

test('the last use of a token is recorded unless the token was removed', async () => {
  const tokens = createTokens(createMemoryStore())
  await tokens.put('a', 'value')
  for (const at of ['2026-03-01T09:00:00.000Z', '2026-03-01T09:01:00.000Z']) {
    await tokens.noteUse('a', at)
    assert.deepEqual(await tokens.list(), [{ id: 'a', value: 'value', lastUsed: at }])
  }
  await tokens.remove('a')
  await tokens.noteUse('a', '2026-03-01T09:02:00.000Z')
  assert.deepEqual(await tokens.list(), [])
})

test('token changes affect no version, and tokens are not content values', async () => {
  const store = createMemoryStore()
  await store.write([{ put: { type: 'sol:planet', id: 'mars', attributes: {} } }])
  const before = [await store.version(), await store.types()]
  const tokens = createTokens(store)
  await tokens.put('a', 'value')
  await tokens.noteUse('a', '2026-03-01T09:00:00.000Z')
  assert.equal(await namedValue(store, 'a'), undefined)
  await tokens.remove('a')
  assert.deepEqual([await store.version(), await store.types()], before)
})
