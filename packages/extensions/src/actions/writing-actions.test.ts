import assert from 'node:assert/strict'
import { test } from 'node:test'
import { damagedEntity, type Store } from '../../../core/src/store/contract.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { countOf, worldOfNotes } from './actions.fixture.ts'

test('an entity written by an action is stored before the call is answered', async () => {
  const { store, call } = await worldOfNotes({})
  const { json } = await call({ id: 'a', count: 1 })
  const stored = await store.get('sol:note', 'a')
  assert.equal(json.output.revision, stored?.revision)
  assert.deepEqual(json.output.attributes, { count: 1 })
})

test('writes by an action are validated like writes over HTTP', async () => {
  const { store, call } = await worldOfNotes({})
  const { status, json } = await call({ id: 'a', count: 'many' })
  assert.deepEqual([status, json.code], [422, 'invalid_entity'])
  assert.deepEqual(json.details.fields, [
    { in: 'body', pointer: '/attributes/count', reason: 'wrong_type', message: 'must be integer' },
  ])
  assert.deepEqual([(await call({ id: '..', count: 1 })).json.code], ['invalid_id'])
  assert.equal(await store.get('sol:note', 'a'), undefined)
})

test("preconditions prevent two calls from overwriting each other's changes", async () => {
  const { store, call } = await worldOfNotes({
    async handler({ id, count }, { get, put }) {
      const before = await get('sol:note', id)
      const onlyIf = before ? { ifRevision: before.revision } : { ifAbsent: true as const }
      const stale = count === 'stale' ? { ifRevision: 'of-another' } : onlyIf
      return put(
        'sol:note',
        id,
        { attributes: { count: Number(before?.attributes['count'] ?? 0) + 1 } },
        stale,
      )
    },
  })
  for (const count of [1, 2]) assert.equal((await call({ id: 'a' })).json.output.attributes.count, count)
  const { status, json } = await call({ id: 'a', count: 'stale' })
  assert.deepEqual([status, json.code], [412, 'precondition_failed'])
  assert.match((await store.get('sol:note', 'a'))?.json ?? '', /"count":2/)
})

test('an action deletes entities and gets an error for missing ones', async () => {
  const { store, call } = await worldOfNotes({
    async handler({ id }, context) {
      await context.delete('sol:note', id)
      return 'gone'
    },
  })
  await store.write([{ put: { type: 'sol:note', id: 'a', attributes: { count: 1 } } }])
  assert.equal((await call({ id: 'a' })).json.output, 'gone')
  assert.deepEqual([(await call({ id: 'a' })).json.code], ['entity_not_found'])
})

test('a replica refuses writes by actions, and a safe action cannot write', async () => {
  const replica = await worldOfNotes({}, { isReplica: true })
  assert.deepEqual([(await replica.call({ id: 'a', count: 1 })).json.code], ['forbidden'])
  const safe = await worldOfNotes({ safe: true })
  assert.deepEqual([(await safe.call({ id: 'a', count: 1 })).json.code], ['internal_error'])
  for (const { store } of [replica, safe]) assert.equal(await store.get('sol:note', 'a'), undefined)
})

test('the writes of a call are applied together when the handler returns, or not at all', async () => {
  const seen: unknown[] = []
  const { store, call } = await worldOfNotes({
    async handler({ count }, { get, put, delete: remove, fail }) {
      for (const id of ['a', 'b']) await put('sol:note', id, { attributes: { count: 1 } })
      seen.push((await get('sol:note', 'a'))?.attributes, await countOf(store, 'a'))
      await remove('sol:note', 'b')
      seen.push(await get('sol:note', 'b'))
      if (count === 'fail') fail('sol:no', 'No.')
      if (count === 'invalid') await put('sol:note', 'c', { attributes: { count: 'x' } })
      return null
    },
  })
  for (const count of ['fail', 'invalid']) {
    assert.equal((await call({ id: '', count })).status, 422)
    assert.equal((await store.types()).size, 0)
  }
  assert.equal((await call({ id: '', count: 0 })).status, 200)
  assert.deepEqual([await countOf(store, 'a'), await countOf(store, 'b')], [1, undefined])
  assert.deepEqual(seen.slice(0, 3), [{ count: 1 }, undefined, undefined])
})

test('a handler runs again if an entity that it read has changed before its writes are applied', async () => {
  let runs = 0
  const { store, call } = await worldOfNotes({
    async handler({ id }, { get, put }) {
      runs++
      const before = (await get('sol:note', id))?.attributes['count'] ?? 0
      await new Promise(setImmediate)
      await put('sol:note', id, { attributes: { count: Number(before) + 1 } })
      return before
    },
  })
  const outputs = await Promise.all([1, 2, 3, 4].map(async () => (await call({ id: 'a' })).json.output))
  assert.deepEqual(outputs.toSorted(), [0, 1, 2, 3])
  assert.equal(await countOf(store, 'a'), 4)
  assert.ok(runs > 4)
})

test('an entity that a handler read but did not write must be unchanged too, whether it exists or not', async () => {
  for (const exists of [true, false]) {
    let runs = 0
    const { store, call } = await worldOfNotes({
      async handler({ id }, { get, put }) {
        const other = await get('sol:note', 'other')
        if (++runs === 1)
          await store.write([{ put: { type: 'sol:note', id: 'other', attributes: { count: 9 } } }])
        await put('sol:note', id, { attributes: { count: Number(other?.attributes['count'] ?? 0) } })
        return null
      },
    })
    if (exists) await store.write([{ put: { type: 'sol:note', id: 'other', attributes: { count: 1 } } }])
    assert.equal((await call({ id: 'a' })).status, 200)
    assert.deepEqual([runs, await countOf(store, 'a'), await countOf(store, 'other')], [2, 9, 9])
  }
})

test('a call that conflicts with other writes in every run is refused as unavailable, and writes nothing', async () => {
  let runs = 0
  const { store, call } = await worldOfNotes({
    async handler({ id }, { get, put }) {
      await get('sol:note', 'other')
      await store.write([{ put: { type: 'sol:note', id: 'other', attributes: { count: ++runs } } }])
      await put('sol:note', id, { attributes: { count: 1 } })
      return null
    },
  })
  const { status, headers } = await call({ id: 'a' })
  assert.deepEqual([status, headers['retry-after'], runs], [503, '1', 30])
  assert.equal(await countOf(store, 'a'), undefined)
})

test('a write that is not awaited and comes after the handler has returned fails', async () => {
  const late = Promise.withResolvers<unknown>()
  const { store, call } = await worldOfNotes({
    handler(_, { put }) {
      const later = new Promise(setImmediate).then(() =>
        put('sol:note', 'late', { attributes: { count: 1 } }),
      )
      later.then(late.resolve, late.resolve)
      return null
    },
  })
  assert.equal((await call({ id: 'a' })).status, 200)
  assert.match(String(await late.promise), /The handler has returned/)
  assert.equal(await countOf(store, 'late'), undefined)
})

test('a call whose handler returns before its reads and writes have ended fails, and writes nothing', async (t) => {
  t.mock.method(console, 'error', () => {})
  for (const first of ['get', 'put', 'delete'] as const) {
    let late: Promise<string> | undefined
    const { store, call } = await worldOfNotes({
      handler(_, context) {
        const content = { attributes: { count: 1 } }
        const work = async () => {
          await context[first]('sol:note', 'a', content)
          await context.put('sol:note', 'b', content)
        }
        late = work().then(() => 'written', String)
        return 'done'
      },
    })
    await store.write([{ put: { type: 'sol:note', id: 'a', attributes: { count: 0 } } }])
    assert.equal((await call({ id: '' })).status, 500)
    assert.match((await late) ?? '', /The handler has returned/)
    assert.deepEqual([await countOf(store, 'a'), await countOf(store, 'b')], [0, undefined])
  }
})

test('modifying an object that get or put returned, or that was passed to put, has no other effect', async () => {
  const { store, call } = await worldOfNotes({
    async handler(_, { get, put }) {
      const got = await get('sol:note', 'got')
      assert.ok(got)
      got.attributes['count'] = 'changed'
      assert.deepEqual((await get('sol:note', 'got'))?.attributes, { count: 1 })
      const attributes = { count: 1 }
      for (const id of ['a', 'b']) {
        const staged = await put('sol:note', id, { attributes })
        staged.attributes['count'] = 'changed'
        attributes.count++
      }
      return null
    },
  })
  await store.write([{ put: { type: 'sol:note', id: 'got', attributes: { count: 1 } } }])
  assert.equal((await call({ id: '' })).status, 200)
  assert.deepEqual(await Promise.all(['got', 'a', 'b'].map((id) => countOf(store, id))), [1, 1, 2])
})

test('a failed read is not a condition of the writes, and can be repeated', async () => {
  let isDamaged = true
  const { get, ...rest } = createMemoryStore()
  const store: Store = {
    ...rest,
    get(type, id, options) {
      if (isDamaged && id === 'a') throw damagedEntity({ type, id })
      return get(type, id, options)
    },
  }
  const { call } = await worldOfNotes(
    {
      async handler({ id }, { get, put }) {
        await assert.rejects(get('sol:note', id), { code: 'damaged' })
        isDamaged = false
        assert.equal(await get('sol:note', id), undefined)
        await assert.rejects(get('sol:none', id), { code: 'unknown_type' })
        return put('sol:note', id, { attributes: { count: 1 } })
      },
    },
    { store },
  )
  assert.equal((await call({ id: 'a' })).status, 200)
  assert.equal(await countOf(store, 'a'), 1)
})

test('a preview runs the handler and writes nothing', async () => {
  const { store, call, revision } = await worldOfNotes({ preview: true })
  assert.ok(await revision())
  const { status, json } = await call({ id: 'a', count: 1 }, {}, { preview: true })
  assert.deepEqual([status, json.preview, json.output.attributes], [200, true, { count: 1 }])
  assert.equal(await countOf(store, 'a'), undefined)
  const real = await call({ id: 'a', count: 1 }, {}, { preview: false })
  assert.deepEqual([real.json.preview, await countOf(store, 'a')], [undefined, 1])
})

test('a preview of an action without previews is refused', async () => {
  const { store, call } = await worldOfNotes()
  for (const [preview, reason] of [
    [true, 'not_allowed'],
    ['yes', 'wrong_type'],
  ]) {
    const { status, json } = await call({ id: 'a', count: 1 }, {}, { preview })
    assert.deepEqual([status, json.code], [400, 'invalid_input'])
    assert.deepEqual(json.details.fields, [{ in: 'body', pointer: '/preview', reason }])
  }
  assert.equal(await countOf(store, 'a'), undefined)
})
