import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { describeStore } from '../../core/src/store/suite.ts'
import { SearchProcess } from '../../serve/src/workers/search-process.ts'
import { openSqliteStore } from '../../sqlite/src/open.ts'
import { temporaryFolder } from '../../sqlite/src/temporary-folder.fixture.ts'
import { registerEngine, registerEngines } from './engines.ts'
import { openStore, storeAt, storeUrl } from './open-store.ts'
import { withoutCapabilities } from './other-engine.fixture.ts'

const MODULE = join(import.meta.dirname, 'other-engine.fixture.ts')
const PUT = { put: { type: 'sol:moon', id: 'io', title: 'Io', attributes: {} } }

registerEngines(`other=${MODULE}`, '/')

describeStore(
  'an engine without capabilities',
  ({ now, after }) => {
    const folder = temporaryFolder()
    after(folder.remove)
    return withoutCapabilities(openSqliteStore(folder.file('a.db'), { now }))
  },
  { follows: false, precedence: false },
)

test('other processes can open a store of a third-party engine by its URL', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  const url = storeUrl(`other:${folder.file('a.db')}`, '/')
  assert.ok(url.endsWith(`#engine=${encodeURIComponent(pathToFileURL(MODULE).href)}`), url)
  const store = await openStore(url, { role: 'writer' })
  t.after(() => store.close())
  await store.write([PUT])
  const searcher = new SearchProcess(url)
  t.after(() => searcher.close())
  const found = await searcher.find({ text: 'io', limit: 1, budgetMs: 10_000 })
  assert.deepEqual(
    found.hits.map(({ id }) => id),
    ['io'],
  )
})

test('an unsupported operation fails with a message that names the engine', async () => {
  const store = await storeAt('other:/tmp/never.db')
  const fault = (message: RegExp) => ({ name: 'StoreFault', code: 'unsupported', message })
  assert.throws(() => store.backup('/tmp/never.backup'), fault(/engine other cannot back up/))
  assert.throws(() => store.salvage(), fault(/engine other cannot salvage/))
  await assert.rejects(async () => store.withContent(async () => {}), fault(/engine other cannot copy/))
})

test('an engine object can be registered, and an invalid name is refused', async (t) => {
  const folder = temporaryFolder()
  t.after(folder.remove)
  registerEngine('given', { at: (_, file) => ({ open: () => openSqliteStore(folder.file(file)) }) })
  assert.equal(storeUrl('given:a.db', '/'), 'given:a.db')
  const store = await openStore('given:a.db', { role: 'writer' })
  t.after(() => store.close())
  assert.ok((await store.write([PUT])).done)
  for (const wrong of ['other', '=x', 'Big=x', 'a='])
    assert.throws(() => registerEngines(wrong, '/'), { name: 'StoreUrlFault' })
})

test('the error for a module without an engine names the module', async () => {
  registerEngines('empty=./store-location.ts', import.meta.dirname)
  await assert.rejects(storeAt('empty:x'), {
    name: 'TypeError',
    message: /store-location\.ts exports no storage engine/,
  })
})
