import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { changes } from '@worldwright/extensions/changes'
import { listen } from '@worldwright/node'
import { memorySearch } from '@worldwright/search/entities'
import {
  createNewsReader,
  hasChanged,
  MOST_NEWS,
  type News,
  tellsNews,
} from '../packages/explorer/src/world/news.ts'
import { demoWorld, inWorld, openBrowser, openPage, violations } from './browser.ts'

const DESCRIPTION = { id: 'urn:example:sol', types: [{ type: 'sol:moon' }] }

/** A world with changes, and news of it that are read until so many came. */
async function changingWorld() {
  let now = 0
  const storage = createMemoryStore({ search: memorySearch, now: () => new Date(++now * 1000) })
  const origin = 'https://sol.example'
  const answer = toFetch(
    createWorld({ ...DESCRIPTION, store: storage, publicUrl: origin, extensions: [changes()] }),
  )
  const world = await connect(origin, { fetch: async (url, init) => answer(new Request(url, init)) })
  const put = (id: string, n = 0) => storage.write([{ put: { type: 'sol:moon', id, attributes: { n } } }])
  const remove = (id: string) => storage.write([{ delete: { type: 'sol:moon', id } }])
  return { world, put, remove }
}

/** Reads until there is as much news as `count`. */
async function readUntil(
  reader: ReturnType<typeof createNewsReader>,
  count: number,
  told: News[],
): Promise<[string, boolean][]> {
  const ending = new AbortController()
  const reading = reader.read(ending.signal)
  while ((told.at(-1)?.size ?? 0) < count) await new Promise((resolve) => setImmediate(resolve))
  ending.abort()
  await reading
  return [...(told.at(-1) ?? [])]
}

test('what is new and what has changed or is gone since the page was read is news', async () => {
  const { world, put, remove } = await changingWorld()
  await put('old')
  await put('gone')
  const told: News[] = []
  const reader = createNewsReader(world, 'sol:moon', (news) => told.push(news))
  reader.begin()
  await reader.read(AbortSignal.abort())
  await put('new')
  await put('old', 1)
  await remove('gone')
  assert.deepEqual(await readUntil(reader, 3, told), [
    ['new', true],
    ['old', false],
    ['gone', false],
  ])
})

test('what happened while nobody listened is heard afterwards, and something new stays new', async () => {
  const { world, put } = await changingWorld()
  const told: News[] = []
  const reader = createNewsReader(world, 'sol:moon', (news) => told.push(news))
  reader.begin()
  await reader.read(AbortSignal.abort())
  await put('a')
  assert.deepEqual(await readUntil(reader, 1, told), [['a', true]])
  await put('a', 1)
  await put('b')
  assert.deepEqual(await readUntil(reader, 2, told), [
    ['a', true],
    ['b', true],
  ])
})

test('an entity has changed if it did between its reading and the listening, or is gone', async () => {
  const { world, put, remove } = await changingWorld()
  await put('io')
  const received = await world.get('sol:moon', 'io')
  const never = new AbortController()
  const unchanged = hasChanged(world, received, never.signal)
  await put('europa')
  never.abort()
  assert.equal(await unchanged, false)
  await put('io', 1)
  const { signal } = new AbortController()
  assert.equal(await hasChanged(world, received, signal), true)
  const later = await world.get('sol:moon', 'io')
  const gone = hasChanged(world, later, signal)
  await remove('io')
  assert.equal(await gone, true)
})

test('so much that nobody would count it ends the reading', async () => {
  const { world, put } = await changingWorld()
  const told: News[] = []
  const reader = createNewsReader(world, 'sol:moon', (news) => told.push(news))
  reader.begin()
  await reader.read(AbortSignal.abort())
  for (let n = 0; n < MOST_NEWS + 10; n++) await put(`moon-${n}`)
  await reader.read(new AbortController().signal)
  assert.equal(told.at(-1)?.size, MOST_NEWS)
})

test('a world that says nothing of changes is not asked for them', async () => {
  const { world } = await changingWorld()
  assert.equal(tellsNews(world), true)
  for (const extensions of [undefined, null, [], {}, { 'worldwright:changes': true }])
    assert.equal(tellsNews({ document: { ...world.document, extensions } as typeof world.document }), false)
})

test('explorer: what is new, and what has changed, is said quietly, and shown when asked for', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const storage = createMemoryStore({ search: memorySearch })
  const { url, close } = await listen(
    createWorld({ ...DESCRIPTION, store: storage, extensions: [changes()] }),
    {
      port: 0,
    },
  )
  t.after(() => close())
  const put = (id: string, title: string) =>
    storage.write([{ put: { type: 'sol:moon', id, title, attributes: {} } }])
  await put('io', 'Io')
  const { page, wrongs } = await openPage(browser)
  const explorer = await demoWorld()
  await page.goto(`${explorer}/${inWorld(url, 't/sol%3Amoon')}`)
  await page.getByRole('link', { name: 'Io' }).waitFor()
  await page.waitForLoadState('networkidle')
  await put('europa', 'Europa')
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('link', { name: 'Europa' }).waitFor()
  await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Io' }).click()
  await page.getByRole('heading', { level: 1, name: 'Io' }).waitFor()
  await page.waitForLoadState('networkidle')
  await put('io', 'Io, the moon')
  const changed = page.getByRole('button', { name: 'This has changed. Show it' })
  await changed.waitFor()
  assert.deepEqual(await violations(page), [])
  await changed.click()
  await page.getByRole('heading', { level: 1, name: 'Io, the moon' }).waitFor()
  assert.deepEqual(wrongs, [])
})
