/** Lists rendered as charts, on the demo world and on odd worlds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  explorerFiles,
  inWorld,
  openBrowser,
  openDemoPage,
  openPage,
  untilImagesShow,
  violations,
} from './browser.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Layout' }).getByRole('link', { name, exact: true })
const total = (page: Page, number: string) =>
  page.locator('h1 .count', { hasText: new RegExp(`^${number}$`) }).waitFor()
const overflow = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

test('explorer: changing the layout keeps filters and sort order, and Back restores the previous layout', async (t) => {
  const { page, wrongs } =
    (await openDemoPage(t, 't/sol%3Amoon?view=table&is.orbits=sol%3Aplanet%2Fsaturn')) ?? {}
  if (page === undefined) return
  await total(page, '32')
  await tab(page, 'Histogram').click()
  await page.locator('.chart .bar').first().waitFor()
  assert.match(page.url(), /view=histogram&is\.orbits=sol%3Aplanet%2Fsaturn/)
  await total(page, '32')
  await tab(page, 'Scatter plot').click()
  await page.locator('.dots').first().waitFor()
  await page.goBack()
  await page.locator('.chart .bar').first().waitFor()
  await page.goBack()
  await page.locator('.scroller table').waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: a histogram bar filters the list, and so does its row in the table', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Amoon?view=histogram&x=discoveryYear')) ?? {}
  if (page === undefined) return
  await page.getByRole('img', { name: /^Discovery year from 1610 to 20\d\d\. Most are from/ }).waitFor()
  await page.getByText('As a table').click()
  const first = page.locator('.chart-table tbody tr').first()
  assert.match(await first.innerText(), /^16\d\d – 16\d\d\s+4$/)
  assert.deepEqual(await violations(page), [])
  await first.getByRole('button').click()
  await total(page, '4')
  assert.match(page.url(), /in\.discoveryYear=16\d\d\.\.16\d\d/)
  await page.goBack()
  await total(page, '122')
})

test('explorer: points of a chart can be selected and opened by keyboard, and missing values are counted', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Amoon?view=scatter&x=radiusKm&y=massEarths')) ?? {}
  if (page === undefined) return
  await page.getByText('Mass (× Earth) against Radius (km) · All 25 shown · 97 have no value').waitFor()
  const points = page.getByRole('group', { name: /^Mass \(× Earth\) against Radius \(km\)/ })
  await points.focus()
  await page.keyboard.press('ArrowRight')
  const name = await page.locator('.tip a').innerText()
  const said = new RegExp(`^${name}: Radius [\\d,.]+ km, Mass `)
  await points.getByRole('status').filter({ hasText: said }).waitFor({ state: 'attached' })
  assert.deepEqual(await violations(page), [])
  await page.getByRole('checkbox', { name: 'Mass in powers of ten' }).uncheck()
  await page.waitForURL(/log=-/)
  await points.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name }).waitFor()
})

test('explorer: charts fit a narrow page in light and dark mode', async (t) => {
  const narrow = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const
  const { page } = (await openDemoPage(t, 't/sol%3Aplanet?view=histogram', narrow)) ?? {}
  if (page === undefined) return
  await page.locator('.chart .bar').first().waitFor()
  assert.equal(await overflow(page), 0)
  assert.deepEqual(await violations(page), [])
  await tab(page, 'Scatter plot').click()
  await page.locator('.dots').first().waitFor()
  assert.equal(await overflow(page), 0)
  assert.deepEqual(await violations(page), [])
})

test('explorer: in a world without queries, a chart shows only the loaded entities and says so', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const entities = Array.from({ length: 60 }, (_, index) => ({
    type: 'f:thing',
    id: `n${index}`,
    title: `Thing ${index}`,
    attributes: { size: index, weight: index % 7, year: 1900 + index, code: 'x' },
  }))
  const { origin, asked } = await fakeWorld(
    t,
    discovery(),
    (path, response) =>
      path.startsWith('/api/entities/') &&
      say(response, 200, { entities, total: 500, limit: 60, nextCursor: 'more' }),
  )
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${await explorerFiles()}${inWorld(origin, 't/f%3Athing')}`)
  await tab(page, 'Histogram').click()
  await page.getByText('Size from 0 to 59 · Drawn from the 60 of 500 that are loaded').waitFor()
  await tab(page, 'Scatter plot').click()
  await page.getByText('Weight against Size · Drawn from the 60 of 500 that are loaded').waitFor()
  assert.equal(await tab(page, 'Map').count(), 0)
  assert.ok(!asked.some((path) => path.includes('/actions/')))
  assert.deepEqual(wrongs, [])
})

test('explorer: a timeline labels its entities, and a click on a bar zooms in', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 't/sol%3Amission?view=timeline')) ?? {}
  if (page === undefined) return
  await page.getByText('Launch date from 4 Oct 1957 to').first().waitFor()
  const events = page.getByRole('list', { name: /^Launch date from 4 Oct 1957/ })
  await events.getByRole('link', { name: 'Sputnik 1', exact: true }).waitFor()
  assert.equal(await events.getByRole('listitem').count(), 124)
  assert.deepEqual(await violations(page), [])
  await page.locator('.bin .room').first().click()
  await total(page, '1')
  assert.match(page.url(), /in\.launchDate=195\d-01-01\.\.195\d-12-31/)
  await page.setViewportSize({ width: 320, height: 700 })
  assert.equal(await overflow(page), 0)
  assert.deepEqual(wrongs, [])
})

test('explorer: a map clusters nearby locations, can be zoomed by keyboard, and keeps its view in the URL', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 't/sol%3Aobservatory?view=map')) ?? {}
  if (page === undefined) return
  await page.getByText('Map of the Earth with 44 places · All 44 shown').waitFor()
  assert.ok((await page.locator('.cluster').count()) > 3)
  assert.deepEqual(await violations(page), [])
  const map = page.getByRole('group', { name: /^Map of the Earth with 44 places/ })
  await map.focus()
  for (const key of ['+', '+', 'ArrowRight']) await page.keyboard.press(key)
  await page.waitForURL(/y=-?[\d.]+%2C-?[\d.]+%2C[\d.]+/)
  const seen = await page.locator('.marks').innerHTML()
  await page.reload()
  await page.getByText('All 44 shown').waitFor()
  assert.equal(await page.locator('.marks').innerHTML(), seen)
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.getByRole('button', { name: 'Only the visible area' }).click()
  await page.waitForURL(/at\.[^=]+=-?[\d.]+%2C/)
  await page.getByText('Map of the Earth with 16 places · All 16 shown').waitFor()
  await page.getByRole('button', { name: /^Remove the filter: Place 45° S, / }).click()
  await page.getByText('All 44 shown').waitFor()
  await page.setViewportSize({ width: 320, height: 700 })
  assert.equal(await overflow(page), 0)
  assert.deepEqual(wrongs, [])
})

test('explorer: locations on several bodies are shown on one map per body', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Afeature?view=map', { locale: 'de-DE' })) ?? {}
  if (page === undefined) return
  await page.getByLabel('Auf').selectOption({ label: 'Mars (8)' })
  await page.waitForURL(/x=mars/)
  await page.locator('.pin').getByRole('link', { name: 'Olympus Mons' }).waitFor()
  await page.locator('.map-box .mars').waitFor()
  await page.getByText('Grob gezeichnet').waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByLabel('Auf').selectOption({ label: 'Io (2)' })
  await page.getByText('Für diesen Körper ist kein Umriss bekannt').waitFor()
  assert.equal(await page.locator('.map-box .land').count(), 0)
})

test('explorer: a pinch zooms a map around its midpoint', async (t) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const { page } = (await openDemoPage(t, 't/sol%3Aobservatory?view=map&y=0%2C0%2C1', phone)) ?? {}
  if (page === undefined) return
  await page.getByText('All 44 shown').waitFor()
  await page.locator('.map-box').scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map-box').boundingBox()) ?? {}
  const fingers = await page.context().newCDPSession(page)
  const [middle, row] = [x + width / 2, y + height / 2]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spread?: number) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        spread === undefined
          ? []
          : [
              { x: middle - spread, y: row, id: 0 },
              { x: middle + spread, y: row, id: 1 },
            ],
    })
  await touch('touchStart', 20)
  await touch('touchMove', 40)
  await touch('touchMove', 80)
  await touch('touchEnd')
  // The distance between the fingers has quadrupled, but their midpoint has not moved.
  await page.waitForURL(/y=-?0(?:\.\d+)?%2C-?0(?:\.\d+)?%2C4$/)
})

test('explorer: table columns can be selected and moved by keyboard, and the URL keeps them', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Aplanet?view=table')) ?? {}
  if (page === undefined) return
  const headings = async () =>
    (await page.locator('thead th').allInnerTexts()).map((text) => text.split(/\s*[↑↓]?\n/)[0])
  await page.locator('thead th').nth(3).waitFor()
  const [, first = '', second = ''] = await headings()
  await page.getByText('Columns', { exact: true }).click()
  await page.getByRole('button', { name: `Move ${second} towards the beginning` }).press('Enter')
  await page.waitForURL(/column=/)
  assert.deepEqual((await headings()).slice(1, 3), [second, first])
  assert.deepEqual(await violations(page), [])
  await page.getByRole('checkbox', { name: first, exact: true }).press('Space')
  await page.reload()
  await page.locator('thead th').nth(3).waitFor()
  const kept = await headings()
  assert.equal(kept[1], second)
  assert.ok(!kept.includes(first))
})

test('explorer: a gallery loads pictures from other hosts only on request', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const thing = (index: number) => ({
    type: 'f:thing',
    id: `n${index}`,
    title: `Thing ${index}`,
    attributes: { author: 'Ann Author', year: 1999, code: 'x1', image: `http://pictures.test/${index}.png` },
  })
  const entities = [thing(1), thing(2)]
  const { origin } = await fakeWorld(
    t,
    discovery(),
    (path, response) =>
      path.startsWith('/api/entities/') && say(response, 200, { entities, total: 2, limit: 2 }),
  )
  const { page, requests } = await openPage(browser)
  await page.route('http://pictures.test/**', (route) =>
    route.fulfill({ contentType: 'image/png', body: PIXEL }),
  )
  await page.goto(`${await explorerFiles()}${inWorld(origin, 't/f%3Athing?view=gallery')}`)
  await page.getByText('Ann Author · 1999').first().waitFor()
  const fetched = () => requests.filter((url) => url.includes('pictures.test')).length
  assert.equal(fetched(), 0)
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Show the pictures from pictures.test' }).click()
  await untilImagesShow(page, '.gallery img', 2)
  assert.equal(fetched(), 2)
  await tab(page, 'List').click()
  await page.locator('.plain-list .thumb').first().waitFor()
  assert.deepEqual(await violations(page), [])
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
