/** Contract tests: calls that are given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countsOf, type OpenStore, planet, put, walk } from './suite-data.ts'

/** Registers the tests of signals for one engine. */
export function signalTests(open: OpenStore): void {
  test('a call whose signal is aborted fails with the reason of the signal, and nothing happens', async (t) => {
    const { storage } = await open(t)
    await put(storage, planet('mars'))
    await storage.tokens.put('a', 'value')
    const load = await storage.import()
    const seen = async () => [await storage.version(), await storage.tokens.list()]
    const before = await seen()
    const reason = new Error('the caller left')
    const signal = AbortSignal.abort(reason)
    const calls: Readonly<Record<string, () => unknown>> = {
      get: () => storage.get('sol:planet', 'mars', { signal }),
      list: () => storage.list('sol:planet', { limit: 1, signal }),
      find: () => storage.find({ text: 'mars', limit: 1, budgetMs: 1_000, signal }),
      'find without text': () => storage.find({ limit: 1, budgetMs: 1_000, signal }),
      write: () => storage.write([{ put: planet('venus') }], { metadata: { a: 'b' }, signal }),
      import: () => storage.import({ signal }),
      add: () => load.add([planet('never')], { signal }),
      preview: () => load.preview({ signal }),
      commit: () => load.commit({ replace: ['sol:planet'], signal }),
      versions: () => storage.versions({ signal }),
      version: () => storage.version({ signal }),
      position: () => storage.position({ signal }),
      hasReached: () => storage.hasReached('a', { signal }),
      changes: () => storage.changes({ limit: 1, signal }),
      follow: () => storage.follow({ signal }),
      metadata: () => storage.metadata('a', { signal }),
      'tokens.get': () => storage.tokens.get('a', { signal }),
      'tokens.list': () => storage.tokens.list({ signal }),
      'tokens.put': () => storage.tokens.put('b', 'value', { signal }),
      'tokens.remove': () => storage.tokens.remove('a', { signal }),
      'tokens.noteUse': () => storage.tokens.noteUse('a', '2026-03-01T09:00:00.000Z', { signal }),
      setIndexRules: () => storage.setIndexRules({ 'sol:planet': { note: { weight: 2 } } }, { signal }),
      snapshot: () => storage.snapshot({ signal }),
    }
    for (const [name, call] of Object.entries(calls)) await assert.rejects(async () => call(), reason, name)
    assert.deepEqual(await seen(), before)
    // An import whose step was given up can go on.
    await load.add([planet('earth')])
    assert.deepEqual(countsOf(await load.commit()), { created: 1, changed: 0, unchanged: 0, deleted: 0 })
    assert.deepEqual(await walk(storage, 'sol:planet', 9), ['earth', 'mars'])
  })

  test('a signal that is not aborted, or only afterwards, changes nothing', async (t) => {
    const { storage } = await open(t)
    const ending = new AbortController()
    const { signal } = ending
    assert.ok((await storage.write([{ put: planet('mars', { title: 'Mars' }) }], { signal })).done)
    assert.equal((await storage.find({ text: 'mars', limit: 1, budgetMs: 1_000, signal })).total, 1)
    ending.abort()
    assert.deepEqual(await walk(storage, 'sol:planet', 9), ['mars'])
  })
}
