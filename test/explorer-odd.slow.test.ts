/** The explorer on arbitrary JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inWorld, openBrowser, openPage, untilQuiet } from './browser.ts'
import { exploring } from './exploring.ts'
import { type FakeRoute, fakeWorld, say } from './fake-world.ts'

const ODD: readonly unknown[] = [
  null,
  true,
  -1.5,
  '',
  [],
  {},
  [null, [], {}, 5, 'a:b'],
  { id: null },
  { type: 'a:b', id: {} },
  { 'a:b': null },
  [{ type: 5, id: [] }],
  [{ type: 'f:thing', id: '1', title: {}, summary: [], attributes: [1] }],
  { a: { b: { c: { d: [1, { e: null }] } } } },
]

test('explorer: renders arbitrary JSON without errors', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  let odd: unknown
  const members = [
    'world',
    'entityTypes',
    'actions',
    'limits',
    'extensions',
    'authentication',
    'revision',
    'name',
  ]
  const document: FakeRoute = (path, response, request) =>
    path === '/.well-known/world.json' &&
    say(response, 200, {
      protocol: 'world/0.1',
      endpoints: { api: `http://${request.headers.host}/api` },
      ...Object.fromEntries(members.map((name) => [name, odd])),
    })
  const bodies: FakeRoute = (path, response) => {
    const list = { entities: odd, nextCursor: null, total: odd }
    const output = { ...list, counts: odd, matched: odd, truncated: odd, limit: odd }
    return say(
      response,
      200,
      path.includes('/actions/') ? { output, warnings: odd } : path.endsWith('/1') ? odd : list,
    )
  }
  const { origin } = await fakeWorld(t, document, bodies)
  const { page, wrongs } = await openPage(browser)
  const explorer = await exploring(t, origin)
  const rests = ['about', 't/f%3Athing', 'e/f%3Athing/1', 'search?text=x', 'a/wp%3Adiscover?input=%7B%7D', '']
  for (odd of ODD) {
    await page.goto('about:blank')
    await page.goto(`${explorer}/${inWorld(origin, 'about')}`)
    for (const rest of rests) {
      const arrived = page.waitForResponse(/world\.json|%2Fapi%2F/, { timeout: 2_000 }).catch(() => undefined)
      await page.evaluate(`location.hash = ${JSON.stringify(inWorld(origin, rest))}`)
      if (rest !== 'about') await arrived
      await page.locator('main :is(h1, h2)').first().waitFor()
      const text = await page.locator('main').innerText()
      assert.doesNotMatch(text, /This page has a fault|\[object Object\]/, `${rest} ${JSON.stringify(odd)}`)
    }
    await untilQuiet(page)
    assert.doesNotMatch(await page.locator('main').innerText(), /This page has a fault/, JSON.stringify(odd))
  }
  assert.deepEqual(wrongs, [])
})
