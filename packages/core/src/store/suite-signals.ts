/** Contract tests: cancelled calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginToFollow } from './followed.ts'
import { setIndexRules } from './index-rules.ts'
import { isReached, positionNow } from './positions.ts'
import { countsOf, type OpenStore, planet, put, walk } from './suite-data.ts'
import { namedValue } from './values.ts'

/** Registers the cancellation tests for one engine. */
export function signalTests(open: OpenStore): void {
  test('a call with an aborted signal fails with the reason of the signal and has no effect', async (t) => {
    const { store } = await open(t)
    await put(store, planet('mars'))
    await store.write([], { values: { '~a': 'value' } })
    const load = await store.bulk()
    const seen = async () => [await store.version(), await store.values('~')]
    const before = await seen()
    const reason = new Error('the caller left')
    const signal = AbortSignal.abort(reason)
    const calls: Readonly<Record<string, () => unknown>> = {
      get: () => store.get('sol:planet', 'mars', { signal }),
      list: () => store.list('sol:planet', { limit: 1, signal }),
      find: () => store.find({ text: 'mars', limit: 1, budgetMs: 60_000, signal }),
      'find without text': () => store.find({ limit: 1, budgetMs: 60_000, signal }),
      write: () => store.write([{ put: planet('venus') }], { values: { a: 'b' }, signal }),
      bulk: () => store.bulk({ signal }),
      add: () => load.add([planet('never')], { signal }),
      'dry run': () => load.commit({ dryRun: true, signal }),
      commit: () => load.commit({ replace: ['sol:planet'], signal }),
      types: () => store.types({ signal }),
      version: () => store.version({ signal }),
      positionNow: () => positionNow(store, { signal }),
      isReached: () => isReached(store, 'a', { signal }),
      changes: () => store.changes({ limit: 1, signal }),
      ...(store.follow && { follow: () => beginToFollow(store, { signal }) }),
      values: () => namedValue(store, 'a', { signal }),
      'write of a value beside the content': () => store.write([], { values: { '~a': undefined }, signal }),
      setIndexRules: () => setIndexRules(store, { 'sol:planet': { note: { weight: 2 } } }, { signal }),
      snapshot: () => store.snapshot({ signal }),
    }
    for (const [name, call] of Object.entries(calls)) await assert.rejects(async () => call(), reason, name)
    assert.deepEqual(await seen(), before)
    // An import can continue after one of its calls was cancelled.
    await load.add([planet('earth')])
    assert.deepEqual(countsOf(await load.commit()), { created: 1, changed: 0, unchanged: 0, deleted: 0 })
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['earth', 'mars'])
  })

  test('a signal that aborts after the call, or never, has no effect', async (t) => {
    const { store } = await open(t)
    const ending = new AbortController()
    const { signal } = ending
    assert.ok((await store.write([{ put: planet('mars', { title: 'Mars' }) }], { signal })).done)
    assert.equal((await store.find({ text: 'mars', limit: 1, budgetMs: 60_000, signal })).total, 1)
    ending.abort()
    assert.deepEqual(await walk(store, 'sol:planet', 9), ['mars'])
  })
}
