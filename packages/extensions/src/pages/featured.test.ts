import assert from 'node:assert/strict'
import { test } from 'node:test'
import { featuredOf } from './featured.ts'
import { world } from './world-pages.fixture.ts'

const VIEW_TYPE = 'worldwright:view'
const TYPES = [
  { type: 'sol:planet', title: 'Planets' },
  { type: VIEW_TYPE, title: 'Views' },
]
const STORY = { name: 'tour', title: 'Tour', isFeatured: true, parts: [] }

const view = (id: string, path: unknown, title: string | undefined = id) => ({
  type: VIEW_TYPE,
  id,
  ...(title !== undefined && { title }),
  attributes: { path } as never,
})

const opened = (types = TYPES, options = {}) =>
  world([], { stories: [STORY], ...options }, { types: async () => types })

type Opened = Awaited<ReturnType<typeof opened>>

/** Returns the titles and the paths on the home page and in discovery, which are the same. */
async function featured({ page }: Opened): Promise<string[]> {
  const { extensions } = JSON.parse(await page('/.well-known/world.json'))
  const told: { title: string; path: string }[] = extensions['worldwright:pages'].stories
  const [, list = ''] = /<h2>Featured<\/h2>\s*<ul class="list">(.*?)<\/ul>/s.exec(await page('/')) ?? []
  const links = [...list.matchAll(/<a href="([^"]+)">([^<]+)/g)].map(([, path, title]) => `${title} ${path}`)
  const escaped = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  assert.deepEqual(
    links,
    told.map(({ title, path }) => escaped(`${title} ${path}`)),
  )
  return told.map(({ title, path }) => `${title} ${path}`)
}

test('published views follow the featured stories at once, in the order of their ids, and go when they are deleted', async () => {
  const one = await opened()
  assert.deepEqual(await featured(one), ['Tour /s/tour'])
  await one.put(
    view('b', '/v/sol%3Aplanet?sort=-radius&where=radius+%3E+1', 'Large <planets>'),
    view('a', '/v/sol:planet'),
  )
  const large = 'Large <planets> /v/sol%3Aplanet?where=radius+%3E+1&sort=-radius'
  assert.deepEqual(await featured(one), ['Tour /s/tour', 'a /v/sol%3Aplanet', large])
  await one.store.write([{ delete: { type: VIEW_TYPE, id: 'b' } }])
  assert.deepEqual(await featured(one), ['Tour /s/tour', 'a /v/sol%3Aplanet'])
})

test('one view of each layout, ordered and not, comes before a second one', async () => {
  const one = await opened()
  const paths = [
    '',
    '?where=radius+%3E+1',
    '?sort=-radius',
    '?view=summary',
    '?view=table&sort=mass',
    '?view=map',
  ]
  await one.put(...paths.map((path, at) => view(`${at}`, `/v/sol:planet${path}`)))
  const order = (await featured(one)).slice(1).map((line) => line.slice(0, 1))
  assert.deepEqual(order, ['0', '2', '3', '5', '1', '4'])
})

test('what is no view of this world is not published', async () => {
  const one = await opened()
  const paths = [
    ...[
      undefined,
      7,
      '',
      '/v/',
      '/v/planet',
      '/t/sol:planet/x',
      'sol:planet/x',
      '/s/tour',
      'javascript:alert(1)',
    ],
    ...['https://evil.example/v/sol:planet', '//evil.example/v/sol:planet', '/v/sol:planet?other=1', '/v/%'],
    ...[
      '/v/sol:planet#x',
      '/v/sol:planet/../../x',
      '/v/sol:planet?view=none',
      `/v/sol:planet?text=${'x'.repeat(2_000)}`,
    ],
  ]
  await one.put(...paths.map((path, at) => view(`${at}`, path)), view('blank', '/v/sol:planet', ' \u200b'))
  assert.deepEqual(await featured(one), ['Tour /s/tour'])
})

test('twenty views are published at most, with short titles', async () => {
  const one = await opened()
  await one.put(...Array.from({ length: 25 }, (_, at) => view(`v${at + 10}`, '/v/sol:planet')))
  const told = await featured(one)
  assert.deepEqual([told.length, told[20]], [21, 'v29 /v/sol%3Aplanet'])
  await one.put(view('v10', '/v/sol:planet', 'x'.repeat(1_000)))
  assert.equal((await featured(one))[1], `${'x'.repeat(199)}… /v/sol%3Aplanet`)
})

test('a world without the type, a world of files and a private one publish no views', async () => {
  const without = await opened(TYPES.slice(0, 1))
  const files = await opened(TYPES, { entityFiles: '/files' })
  for (const one of [without, files]) {
    await one.put(view('a', '/v/sol:planet'))
    assert.deepEqual(await featured(one), ['Tour /s/tour'])
  }
  const [story, ...others] = await featuredOf([STORY], TYPES, {
    source: files.store,
    admission: () => () => {},
  })
  assert.deepEqual([story?.title, others], ['Tour', []])
})
