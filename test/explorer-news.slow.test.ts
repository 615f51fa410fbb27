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

/** Creates a world with a change feed, and functions that change its entities. */
async function changingWorld() {
  let now = 0
  const store = createMemoryStore({ search: memorySearch, now: () => new Date(++now * 1000) })
  const origin = 'https://sol.example'
  const answer = toFetch(createWorld({ ...DESCRIPTION, store, publicUrl: origin, extensions: [changes()] }))
  const world = await connect(origin, { fetch: async (url, init) => answer(new Request(url, init)) })
  const put = (id: string, n = 0) => store.write([{ put: { type: 'sol:moon', id, attributes: { n } } }])
  const remove = (id: string) => store.write([{ delete: { type: 'sol:moon', id } }])
  return { world, put, remove }
}

/** Runs the reader until it has reported at least `count` news items. */
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

test('the news lists entities that were added, changed or deleted since the page was read', async () => {
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

test('changes made while the reader is stopped are read later, and a new entity stays new', async () => {
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

test('hasChanged reports whether an entity was changed or deleted since it was read', async () => {
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

test('the reader stops at the maximum number of news items', async () => {
  const { world, put } = await changingWorld()
  const told: News[] = []
  const reader = createNewsReader(world, 'sol:moon', (news) => told.push(news))
  reader.begin()
  await reader.read(AbortSignal.abort())
  for (let n = 0; n < MOST_NEWS + 10; n++) await put(`moon-${n}`)
  await reader.read(new AbortController().signal)
  assert.equal(told.at(-1)?.size, MOST_NEWS)
})

test('tellsNews is false for a world without a usable changes extension', async () => {
  const { world } = await changingWorld()
  assert.equal(tellsNews(world), true)
  for (const extensions of [undefined, null, [], {}, { 'worldwright:changes': true }])
    assert.equal(tellsNews({ document: { ...world.document, extensions } as typeof world.document }), false)
})

test('explorer: new and changed entities are announced and shown on request', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const store = createMemoryStore({ search: memorySearch })
  const { url, close } = await listen(createWorld({ ...DESCRIPTION, store, extensions: [changes()] }), {
    port: 0,
  })
  t.after(() => close())
  const put = (id: string, title: string) =>
    store.write([{ put: { type: 'sol:moon', id, title, attributes: {} } }])
  await put('io', 'Io')
  const { page, wrongs } = await openPage(browser)
  const explorer = await demoWorld()
  const begun = page.waitForResponse(/changes\?/)
  await page.goto(`${explorer}/${inWorld(url, 't/sol%3Amoon')}`)
  await page.getByRole('link', { name: 'Io' }).waitFor()
  await begun
  await put('europa', 'Europa')
  await page.getByRole('button', { name: '1 new' }).click()
  await page.getByRole('link', { name: 'Europa' }).waitFor()
  await page.getByRole('button', { name: '1 new' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Io' }).click()
  await page.getByRole('heading', { level: 1, name: 'Io' }).waitFor()
  await put('io', 'Io, the moon')
  const changed = page.getByRole('button', { name: 'This has changed. Show it' })
  await changed.waitFor()
  assert.deepEqual(await violations(page), [])
  await changed.click()
  await page.getByRole('heading', { level: 1, name: 'Io, the moon' }).waitFor()
  assert.deepEqual(wrongs, [])
})
