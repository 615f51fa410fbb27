/** Contract tests: cancelled calls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginToFollow } from './followed.ts'
import { setIndexRules } from './index-rules.ts'
import { isReached, positionNow } from './positions.ts'
import { countsOf, type OpenStore, planet, put, walk } from './suite-data.ts'
import { createTokens } from './tokens.ts'
import { namedValue } from './values.ts'

/** Registers the tests of signals for one engine. */
export function signalTests(open: OpenStore): void {
  test('a call whose signal is aborted fails with the reason of the signal, and nothing happens', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    await createTokens(storage).put('a', 'value')
    const load = await storage.bulk()
    const seen = async () => [await storage.version(), await createTokens(storage).list()]
    const before = await seen()
    const reason = new Error('the caller left')
    const signal = AbortSignal.abort(reason)
    const calls: Readonly<Record<string, () => unknown>> = {
      get: () => storage.get('sol:planet', 'mars', { signal }),
      list: () => storage.list('sol:planet', { limit: 1, signal }),
      find: () => storage.find({ text: 'mars', limit: 1, budgetMs: 60_000, signal }),
      'find without text': () => storage.find({ limit: 1, budgetMs: 60_000, signal }),
      write: () => storage.write([{ put: planet('venus') }], { values: { a: 'b' }, signal }),
      bulk: () => storage.bulk({ signal }),
      add: () => load.add([planet('never')], { signal }),
      'dry run': () => load.commit({ dryRun: true, signal }),
      commit: () => load.commit({ replace: ['sol:planet'], signal }),
      types: () => storage.types({ signal }),
      version: () => storage.version({ signal }),
      positionNow: () => positionNow(storage, { signal }),
      isReached: () => isReached(storage, 'a', { signal }),
      changes: () => storage.changes({ limit: 1, signal }),
      ...(storage.follow && { follow: () => beginToFollow(storage, { signal }) }),
      values: () => namedValue(storage, 'a', { signal }),
      'tokens.get': () => createTokens(storage).get('a', { signal }),
      'tokens.list': () => createTokens(storage).list({ signal }),
      'tokens.put': () => createTokens(storage).put('b', 'value', { signal }),
      'tokens.remove': () => createTokens(storage).remove('a', { signal }),
      'tokens.noteUse': () => createTokens(storage).noteUse('a', '2026-03-01T09:00:00.000Z', { signal }),
      setIndexRules: () => setIndexRules(storage, { 'sol:planet': { note: { weight: 2 } } }, { signal }),
      snapshot: () => storage.snapshot({ signal }),
    }
    for (const [name, call] of Object.entries(calls)) await assert.rejects(async () => call(), reason, name)
    assert.deepEqual(await seen(), before)
    // An import continues after one of its steps was cancelled.
    await load.add([planet('earth')])
    assert.deepEqual(countsOf(await load.commit()), { created: 1, changed: 0, unchanged: 0, deleted: 0 })
    assert.deepEqual(await walk(storage, 'sol:planet', 9), ['earth', 'mars'])
  })

  test('a signal that aborts late or never has no effect', async (t) => {
    const { storage } = await open(t)
    const ending = new AbortController()
    const { signal } = ending
    assert.ok((await storage.write([{ put: planet('mars', { title: 'Mars' }) }], { signal })).done)
    assert.equal((await storage.find({ text: 'mars', limit: 1, budgetMs: 60_000, signal })).total, 1)
    ending.abort()
    assert.deepEqual(await walk(storage, 'sol:planet', 9), ['mars'])
  })
}
