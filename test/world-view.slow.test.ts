/** The web component `<world-view>` on pages of another origin, whose policy allows only its world. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Locator } from 'playwright-core'
import { demoWorld, keepScreenshot, openBrowser, openPage, untilReads, violations } from './browser.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'
import { entityOf, HOSTILE_TEXTS } from './hostile-texts.ts'

/** Serves HTML, or what `answer` does, on an origin of its own. Returns that origin. */
async function site(context: TestContext, body: string, policy?: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (policy !== undefined) response.setHeader('content-security-policy', policy)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Opens a page of another site that shows views of a world, each an origin and a path. */
async function openSite(
  context: TestContext,
  views: readonly (readonly [origin: string, src: string])[],
  {
    dir = 'ltr',
    isAwaited = true,
    ...options
  }: BrowserContextOptions & { dir?: string; isAwaited?: boolean } = {},
) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const demo = await demoWorld()
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const elements = views.map(
    ([origin, src]) => `<world-view origin="${escaped(origin)}" src="${escaped(src)}"></world-view>`,
  )
  const origins = [...new Set([demo, ...views.map(([origin]) => origin)])].join(' ')
  const policy = `default-src 'none'; script-src ${demo}; connect-src ${origins}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`
  const page = `<!doctype html><html lang="en" dir="${dir}"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>A site</title><script type="module" src="${demo}/world-view.js"></script><main><h1>A site</h1>${elements.join('\n')}</main></html>`
  const watched = await openPage(browser, options)
  await watched.page.goto(await site(context, page, policy))
  for (let at = 0; isAwaited && at < views.length; at++)
    await watched.page.locator('world-view').nth(at).locator('article, [role=alert]').waitFor()
  return { ...watched, demo, view: (at: number) => watched.page.locator('world-view').nth(at) }
}

/** Returns an attribute of each element. */
async function attributes(all: Locator, name: string): Promise<(string | null)[]> {
  return Promise.all((await all.all()).map((one) => one.getAttribute(name)))
}

const TABLE = '/v/sol%3Amoon?sort=-radiusKm&column=radiusKm&column=orbits&column=picture'
const BARS = '/v/sol%3Aasteroid?view=summary&by=orbitClass&of=max%3AmeanDiameterKm'
const MAP = '/v/sol%3Aobservatory?view=map'
const ASKED = '/v/sol%3Amoon?is.orbits=sol%3Aplanet%2Fsaturn&in.radiusKm=100..&where=radiusKm+%3C+600&embed=1'

test('world-view: a table, bars, a map and a card show on a page of another site', async (t) => {
  const demo = await demoWorld()
  const views = [TABLE, BARS, MAP, '/t/sol%3Amoon/titan', ASKED, '/v/sol%3Amission?view=timeline']
  const shown = views.map((src) => [demo, src] as const)
  const opened = await openSite(t, shown)
  if (opened === undefined) return
  const { page, view, wrongs, requests } = opened
  const title = view(0).getByRole('heading', { level: 2 }).getByRole('link')
  assert.equal(await title.textContent(), 'Moon, by radius, largest first')
  assert.equal(await title.getAttribute('href'), demo + TABLE)
  await view(0).getByText('122 found: the first 50 are shown.').waitFor()
  assert.equal(await view(0).getByRole('row').count(), 51)
  const heads = await view(0).getByRole('columnheader').allTextContents()
  assert.deepEqual(heads, ['Title', 'Radius', 'Orbits', 'Picture'])
  const [first] = await view(0).locator('tbody tr').all()
  assert.deepEqual(await first?.locator('th, td').allTextContents(), [
    'Ganymede',
    '2,634.1\u00a0km',
    'Jupiter',
    '/attachments/ganymede.webp',
  ])
  const aligned =
    "getComputedStyle(document.querySelector('world-view').shadowRoot.querySelector('td')).textAlign"
  assert.equal(await page.evaluate(aligned), 'end')
  const links = await attributes(view(0).locator('tbody tr').first().getByRole('link'), 'href')
  assert.deepEqual(links, [
    `${demo}/t/sol%3Amoon/ganymede`,
    `${demo}/t/sol%3Aplanet/jupiter`,
    `${demo}/attachments/ganymede.webp`,
  ])

  await view(1)
    .getByText(/^51 found, in \d+ groups\.$/)
    .waitFor()
  const bars = await attributes(view(1).locator('rect'), 'width')
  assert.ok(bars.length > 5 && bars[0] === '100%', `${bars}`)
  const widths = bars.map((width) => Number.parseFloat(width ?? ''))
  assert.deepEqual(
    widths,
    widths.toSorted((a, b) => b - a),
  )
  assert.ok((widths.at(-1) ?? 100) < 60)

  await view(2).getByRole('img', { name: 'Map of Earth' }).waitFor()
  assert.equal(await view(2).locator('circle').count(), 44)
  await view(2).getByText('44 on the map of Earth.').waitFor()
  assert.equal(await view(2).getByRole('table').isVisible(), false)
  await view(2).getByText('As a table').press('Enter')
  await view(2).getByRole('table').waitFor()

  assert.equal(await view(3).locator('h2').textContent(), 'Titan')
  assert.match((await view(3).locator('dl').textContent()) ?? '', /Orbital period15\.945\u00a0days/)
  assert.match(
    (await view(4).locator('h2').textContent()) ?? '',
    /^Moon: radius at least 100, orbits Saturn, radiusKm < 600$/,
  )
  assert.equal(await view(4).locator('tbody tr').first().locator('th').textContent(), 'Dione')
  await view(5).getByText('Shown as a table. The page of the view draws a timeline.').waitFor()
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(wrongs, [])
  const origin = new URL(page.url()).origin
  assert.deepEqual(
    [...new Set(requests.map((url) => new URL(url).origin))].toSorted(),
    [origin, demo].toSorted(),
  )
  await view(3).scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'world-view')
})

test('world-view: is legible in the dark, from right to left, on narrow screens and with forced colours', async (t) => {
  const demo = await demoWorld()
  const views = [TABLE, BARS, MAP, '/t/sol%3Amoon/titan'].map((src) => [demo, src] as const)
  for (const options of [{ colorScheme: 'dark' }, { forcedColors: 'active' }] as const) {
    const viewport = { width: 360, height: 800 }
    const opened = await openSite(t, views, { ...options, viewport, dir: 'rtl' })
    if (opened === undefined) return
    const { page, view, wrongs } = opened
    assert.deepEqual(await violations(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    const table = view(0).getByRole('region')
    await table.focus()
    await page.keyboard.press('ArrowLeft')
    const moved = 'document.querySelector("world-view").shadowRoot.querySelector("[role=region]").scrollLeft'
    await untilReads(page, `${moved} < 0`, true)
    assert.deepEqual(wrongs, [])
    await keepScreenshot(page, `world-view-${Object.keys(options)}`)
  }
})

test('world-view: what cannot be shown is said, and new attributes show something else', async (t) => {
  const demo = await demoWorld()
  const silent = await site(t, '{}')
  const old = await fakeWorld(t, discovery({ entityTypes: 'none', extensions: null }), (path, response) => {
    return (
      path === '/api/entities/f%3Athing' && say(response, 200, { entities: [{ type: 'f:thing', id: 'a' }] })
    )
  })
  const none = await fakeWorld(t, (_, response) => say(response, 200, {}))
  const opened = await openSite(t, [
    [demo, '/v/sol%3Anothing'],
    [demo, '/v/sol%3Amoon?colour=red'],
    [demo, '/v/sol%3Amoon?where=radiusKm+%3C'],
    [demo, '/v/sol%3Amoon?in.mass=1..'],
    [silent, '/v/sol%3Amoon'],
    [demo, 'https://elsewhere.example/v/sol%3Amoon'],
    [demo, '/t/sol%3Amoon/none'],
    [old.origin, '/v/f%3Athing'],
    [none.origin, '/v/f%3Athing'],
  ])
  if (opened === undefined) return
  const { page, view } = opened
  const said = async (at: number) =>
    (await view(at).getByRole('alert').locator('p').first().textContent()) ?? ''
  assert.match(await said(0), /^This world has no such entity type; discovery lists those it has\.$/)
  assert.equal(await said(1), 'This view cannot be read: colour.')
  assert.match(await said(2), /^At character 11: expected a value/)
  assert.match(await said(3), /mass is not a queryable property here/)
  assert.equal(await said(4), 'No answer. The world may be down, or let no other site read it (CORS).')
  assert.equal(await view(4).getByRole('alert').locator('p').last().textContent(), silent)
  assert.match(await said(5), /^It needs an origin, .* and a src there/)
  assert.match(await said(6), /^There is no entity of this type and id\.$/)
  assert.match(await said(8), /\/\.well-known\/world\.json: No world answered here\. Check the address\.$/)
  await view(7).getByText('The world does not say how many there are').waitFor()
  assert.equal(await view(7).locator('tbody th').textContent(), 'a')

  await page.evaluate(`document.querySelector('world-view').setAttribute('src', '/t/sol%3Amoon/io')`)
  await view(0).getByRole('heading', { name: 'Io' }).waitFor()
  assert.equal(await view(0).getByRole('alert').count(), 0)
  assert.equal(await page.locator('world-view article').count(), 2)
})

test('world-view: a reference to a missing entity is text, if the world has answered to the end', async (t) => {
  const ref = (id: string) => ({ type: 'f:thing', id })
  const worldWith = (more: object) =>
    fakeWorld(t, discovery(), (path, response) => {
      if (!path.startsWith('/api/actions/'))
        return say(response, 200, { ...ref('x'), attributes: { to: [ref('a'), ref('gone')] } })
      const a = { ...ref('a'), title: 'A thing', attributes: {} }
      return say(response, 200, { output: { entities: [a], total: 1, ...more } })
    })
  const worlds = await Promise.all([{}, { partial: true }].map(worldWith))
  const views = worlds.map(({ origin }) => [origin, '/t/f%3Athing/x'] as const)
  const opened = await openSite(t, views)
  if (opened === undefined) return
  for (const [at, linked] of [['A thing'], ['A thing', 'gone']].entries()) {
    const facts = opened.view(at).locator('dd')
    assert.equal(await facts.textContent(), 'A thing, gone')
    assert.deepEqual(await facts.getByRole('link').allTextContents(), linked)
  }
})

test('world-view: a removed component ends its request', async (t) => {
  const [asked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  const slow = await fakeWorld(t, discovery(), (path, response) => {
    response.on('close', () => ended.resolve(path))
    asked.resolve()
    return true
  })
  const opened = await openSite(t, [[slow.origin, '/t/f%3Athing/a']], { isAwaited: false })
  if (opened === undefined) return
  await asked.promise
  await opened.view(0).getByRole('status').getByText('Loading…').waitFor()
  await opened.page.evaluate("document.querySelector('world-view').remove()")
  assert.equal(await ended.promise, '/api/entities/f%3Athing/a')
})

test('world-view: a hostile world shows as text, and its links lead only to http and https', async (t) => {
  const texts = HOSTILE_TEXTS.slice(0, 120)
  const [one = '', two = ''] = texts
  const entities = texts.map(entityOf)
  const properties = Object.fromEntries(texts.map((text) => [text, { title: text, unit: text }]))
  const names = ['text', 'link', 'script', 'list', 'reference', 'nested']
  const schema = {
    properties: { ...Object.fromEntries(names.map((name) => [name, { title: two }])), ...properties },
  }
  const groups = texts.map((text) => ({ key: [text], count: 1, measures: [text] }))
  const hostile = await fakeWorld(
    t,
    discovery({
      world: { id: one, name: one, license: one, attribution: two },
      entityTypes: [{ type: 'h:thing', title: one, schema }, null, 1],
      actions: [{ name: 'worldwright:query' }, null],
      extensions: {
        'worldwright:query': {
          limits: { groups: 1 },
          types: { 'h:thing': [...names, ...texts].map((property) => ({ property, kinds: ['text'] })) },
        },
      },
    }),
    (path, response) => {
      if (path.startsWith('/api/actions/'))
        return say(response, 200, {
          output: { entities, total: 1e9, groups, groupsTotal: 1e9, measures: [] },
        })
      const [, id] = /^\/api\/entities\/h%3Athing(?:\/(.+))?$/.exec(path) ?? []
      if (id === 'bad') return say(response, 400, { code: one, message: texts.join(' ') })
      if (id !== undefined) return say(response, 200, entities[Number(id)])
      return say(response, 200, { entities: [...entities, null, { type: 1 }], total: 'many' })
    },
  )
  const opened = await openSite(
    t,
    [
      '/v/h%3Athing',
      '/v/h%3Athing?view=map',
      '/v/h%3Athing?text=a',
      '/v/h%3Athing?view=summary&by=text&of=max%3Alink',
      '/t/h%3Athing/bad',
      ...texts.map((_, at) => `/t/h%3Athing/${at}`),
    ].map((src) => [hostile.origin, src]),
  )
  if (opened === undefined) return
  const { page, view, wrongs, requests, demo } = opened
  const count = await page.locator('world-view article').count()
  assert.ok(count >= texts.length + 3, `${count} of ${texts.length + 4}`)
  await view(4).getByRole('alert').waitFor()
  const inside = '[...document.querySelectorAll("world-view")].map((one) => one.shadowRoot)'
  const tags = `[...new Set(${inside}.flatMap((root) => [...root.querySelectorAll("*")].map((one) => one.localName)))]`
  const known =
    'a article circle dd details div dl dt h2 p path rect summary svg table tbody td th thead title tr'.split(
      ' ',
    )
  const strange = ((await page.evaluate(tags)) as string[]).filter((tag) => !known.includes(tag))
  assert.deepEqual(strange, [])
  const protocols = `[...new Set(${inside}.flatMap((root) => [...root.querySelectorAll("a")].map((one) => one.protocol)))]`
  assert.deepEqual(((await page.evaluate(protocols)) as string[]).toSorted(), ['http:', 'https:'])
  assert.equal(await page.evaluate('window.hit'), undefined)
  assert.deepEqual(wrongs, [])
  const origins = [demo, hostile.origin, new URL(page.url()).origin]
  assert.deepEqual(
    requests.filter((url) => !origins.includes(new URL(url).origin)),
    [],
  )
  const longest = `Math.max(...${inside}.flatMap((root) => [...root.querySelectorAll("th, td, dd, p, a")].map((one) => one.textContent.length)))`
  assert.ok(Number(await page.evaluate(longest)) < 2_000)
})
