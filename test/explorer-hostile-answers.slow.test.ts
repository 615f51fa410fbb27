/** Hostile texts in query answers, as values, property names, type titles and back-references. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explorerFiles, inWorld, openBrowser, openPage, untilQuiet } from './browser.ts'
import { discovery, type FakeRoute, fakeWorld, say } from './fake-world.ts'
import { assertHarmless, entityOf, HOSTILE_TEXTS } from './hostile-texts.ts'

/** Returns the routes of a world that puts different texts into every query answer. */
function askedWorld(texts: readonly string[]): FakeRoute[] {
  const entities = texts.map(entityOf)
  let round = 0
  const some = () => {
    round += 7
    return texts[round % texts.length] ?? ''
  }
  const names = ['text', 'size', 'seen', 'flag', 'ref', ...texts.slice(0, 20)]
  const kinds = ['text', 'number', 'instant', 'boolean', 'reference']
  const properties = names.map((property, at) => ({ property, kinds: [kinds[at] ?? 'text'] }))
  const schema = {
    'x-body': some(),
    properties: Object.fromEntries(
      names.map((name) => [name, { title: some(), description: some(), 'x-unit': some(), format: some() }]),
    ),
  }
  const bucket = () => ({
    value: round % 3 === 0 ? { type: some(), id: some() } : some(),
    type: 'h:thing',
    property: some(),
    from: some(),
    to: some(),
    count: round % 50,
  })
  const answer = () => ({
    entities: entities.slice(round % 200, (round % 200) + 20),
    total: entities.length,
    matched: [some()],
    nextCursor: some(),
    facets: Array.from({ length: 16 }, () => ({
      present: 40,
      minimum: some(),
      maximum: some(),
      more: true,
      buckets: Array.from({ length: 8 }, bucket),
    })),
  })
  return [
    discovery({
      entityTypes: [{ type: 'h:thing', title: some(), schema }],
      actions: [{ name: 'wp:discover' }, { name: 'worldwright:query' }],
      extensions: {
        'worldwright:query': {
          types: { 'h:thing': [...properties, { property: 'attributes', kinds: ['place'] }] },
        },
      },
    }),
    (path, response) => path.startsWith('/api/actions/') && say(response, 200, { output: answer() }),
    (path, response) => {
      const [, id] = /^\/api\/entities\/h%3Athing(?:\/(.+))?$/.exec(path) ?? []
      if (!path.startsWith('/api/entities/h%3Athing')) return false
      return id === undefined
        ? say(response, 200, { entities: entities.slice(0, 50), total: 50, limit: 50 })
        : say(response, 200, {
            ...entities[round % entities.length],
            type: 'h:thing',
            id: decodeURIComponent(id),
          })
    },
  ]
}

/** Number of visits to the home page and an entity page at each width. Every answer has different texts. */
const ROUNDS = 6

/** Layouts, filters and sort orders of a list, as query strings. */
const LISTS = [
  'view=table&sort=-size',
  'view=table&near.attributes=1,2',
  'view=list&sort=-createdAt',
  'view=gallery&sort=text',
  'view=map',
  'view=timeline',
  'view=histogram',
  'view=scatter',
  ...['__proto__', '<img src=x onerror="window.hit=1">', 'constructor'].map((name) => {
    const key = encodeURIComponent(name)
    return `view=table&is.${key}=${key}&in.${key}=1..2&sort=${key}&near.${key}=1,2&column=${key}`
  }),
]

test('explorer: no hostile text in answers runs or reaches the network, at any width', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const page = (await explorerFiles()).replace(/\/$/, '')
  const { origin } = await fakeWorld(t, ...askedWorld(HOSTILE_TEXTS))
  const origins = [new URL(page).origin, origin]
  for (const viewport of [
    { width: 1280, height: 860 },
    { width: 320, height: 700 },
  ]) {
    const watched = await openPage(browser, { viewport })
    const see = async (rest: string, sign: string) => {
      // Leave the explorer first, so that no cached answer is used.
      await watched.page.goto('about:blank')
      await watched.page.goto(`${page}/${inWorld(origin, rest)}`)
      await watched.page.locator(`main ${sign}`).first().waitFor()
      await untilQuiet(watched.page)
      await assertHarmless(watched, origins, rest)
      const wide = await watched.page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wide) <= 0, `${rest} is ${wide} pixels too wide at ${viewport.width}`)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      await see('', '.card')
      await see(`e/h%3Athing/n${round}`, '.attributes')
    }
    for (const list of LISTS) await see(`t/h%3Athing?${list}`, '.list-body > :not([role=status])')
    await watched.page.context().close()
  }
})
