/** Structured queries in the explorer: filters, facets, sorting and back-references, on the demo world. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  explorerFiles,
  inWorld,
  openBrowser,
  openDemoPage,
  openPage,
  untilReads,
  violations,
} from './browser.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'

const MOONS = 't/sol%3Amoon?view=table'
const row = (page: Page, number: number) => page.locator('.scroller tbody tr').nth(number - 1)
const total = (page: Page, number: string) =>
  page.locator('h1 .count', { hasText: new RegExp(`^${number}$`) }).waitFor()

test('explorer: facet values narrow a list, and the URL keeps them', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, MOONS)) ?? {}
  if (page === undefined) return
  await total(page, '122')
  const saturn = page.getByRole('checkbox', { name: /^Saturn 32/ })
  await saturn.focus()
  await page.keyboard.press('Space')
  await total(page, '32')
  await untilReads(page, 'document.activeElement?.type', 'checkbox')
  assert.match(page.url(), /is\.orbits=sol%3Aplanet%2Fsaturn/)
  // A facet ignores the filter on its own property, so other planets can still be selected.
  await page.getByRole('checkbox', { name: /^Jupiter 25/ }).check()
  await total(page, '57')
  assert.deepEqual(await violations(page), [])
  await page.reload()
  await total(page, '57')
  await page.getByRole('button', { name: /^Remove the filter: Orbits = Saturn or Jupiter/ }).waitFor()
  await page.goBack()
  await total(page, '32')
  await page.goBack()
  await total(page, '122')
  assert.deepEqual(wrongs, [])
})

test('explorer: a column header toggles ascending, descending and unsorted, and keeps focus', async (t) => {
  const { page } = (await openDemoPage(t, MOONS)) ?? {}
  if (page === undefined) return
  const header = page.getByRole('columnheader', { name: 'Radius' })
  await header.getByRole('button').focus()
  for (const [sorted, first] of [
    ['ascending', null],
    ['descending', 'Ganymede'],
  ] as const) {
    await page.keyboard.press('Enter')
    await page.locator(`th[aria-sort=${sorted}]`).waitFor()
    if (first !== null) await row(page, 1).getByRole('link', { name: first }).waitFor()
    await untilReads(page, 'document.activeElement?.className.split(" ")[0]', 'sort')
  }
  assert.match(page.url(), /sort=-radiusKm/)
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Enter')
  await row(page, 1).getByRole('link', { name: 'Actaea' }).waitFor()
  assert.equal(await page.locator('th[aria-sort]').count(), 0)
})

test('explorer: a range can be set below a histogram, and can be removed if nothing matches it', async (t) => {
  const { page } = (await openDemoPage(t, MOONS)) ?? {}
  if (page === undefined) return
  await page.getByRole('img', { name: /^Radius: how many there are from 0\.075 to 2,634/ }).waitFor()
  await page.getByLabel('Radius: from').fill('2000')
  await page.getByLabel('Radius: from').press('Enter')
  await total(page, '3')
  await page.getByLabel('Radius: to').fill('2100')
  await page.getByLabel('Radius: to').press('Enter')
  await page.getByText('Nothing fits these filters.').waitFor()
  await page.getByRole('button', { name: 'Remove the filter: Radius 2,000 – 2,100 km' }).click()
  await total(page, '122')
})

test('explorer: a property without values in the list gets no filter', async (t) => {
  const { page } = (await openDemoPage(t, `${MOONS}&is.orbits=sol%3Aplanet%2Fmars`)) ?? {}
  if (page === undefined) return
  await total(page, '2')
  await page.getByRole('checkbox', { name: /^Mars 2/ }).waitFor()
  const property = page.locator('.ask-property', { hasText: 'Retrograde' })
  await property.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Remove the filter: Orbits = Mars/ }).click()
  await total(page, '122')
  await property.getByRole('checkbox').first().waitFor()
  assert.deepEqual(await violations(page), [])
})

test('explorer: an entity shows its back-references, with links to the full lists', async (t) => {
  const { page } =
    (await openDemoPage(t, 'e/sol%3Aplanet/saturn', { viewport: { width: 320, height: 700 } })) ?? {}
  if (page === undefined) return
  await page.getByRole('heading', { name: 'What points here' }).waitFor()
  const moons = page.locator('.referrer-group', { hasText: 'Moon, in “Orbits”' })
  await moons.locator('.chip').nth(5).waitFor()
  assert.deepEqual(await violations(page), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  await page
    .getByRole('navigation', { name: 'Before and after it' })
    .getByRole('link', { name: 'Uranus' })
    .waitFor()
  await moons.getByRole('link', { name: 'Show all 32' }).click()
  await total(page, '32')
  await page.locator('summary', { hasText: 'Filters' }).click()
  await page.getByRole('checkbox', { name: /^Saturn 32/ }).waitFor()
  assert.deepEqual(await violations(page), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
})

test('explorer: the reference graph loads on demand, is bounded, and links to other entities', async (t) => {
  const { page, requests, wrongs } = (await openDemoPage(t, 'e/sol%3Aplanet/saturn')) ?? {}
  if (page === undefined) return
  const heading = page.getByRole('heading', { name: 'Graph of references' })
  await page.locator('.referrer-group .chip').first().waitFor()
  assert.ok(!requests?.some((address) => /reference-graph/.test(address)))
  await heading.click()
  const graph = page.getByRole('list', { name: 'Graph of references' })
  const moon = graph.getByRole('listitem').filter({ hasText: 'Moon, in “Orbits”' }).first()
  await moon.getByRole('link').waitFor()
  await graph.getByRole('link', { name: 'Sun', exact: true }).waitFor()
  const nodes = await graph.getByRole('listitem').count()
  assert.ok(nodes > 3 && nodes <= 30, String(nodes))
  await page
    .getByText(new RegExp(`^It refers to others: 1 · others refer to it: \\d+ · ${nodes} of \\d+ shown$`))
    .waitFor()
  assert.deepEqual(await overlaps(page), [])
  assert.deepEqual(await violations(page), [])
  const name = await moon.getByRole('link').innerText()
  await moon.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await graph.getByRole('link', { name: 'Saturn', exact: true }).first().waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: the reference graph fits a narrow right-to-left page in light and dark mode', async (t) => {
  const narrow = { viewport: { width: 320, height: 700 }, colorScheme: 'dark', locale: 'ar' } as const
  const { page } = (await openDemoPage(t, 'e/sol%3Aplanet/saturn', narrow)) ?? {}
  if (page === undefined) return
  await page.locator('.referrer-group .chip').first().waitFor()
  await page.getByRole('heading', { name: 'مخطط الإحالات' }).click()
  await page.locator('.reference-graph li', { hasText: 'Moon، في «Orbits»' }).first().waitFor()
  assert.deepEqual(await overlaps(page), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  assert.deepEqual(await violations(page), [])
})

test('explorer: in a world without queries, the graph shows only outgoing references and says so', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const other = { type: 'f:thing', id: 'other', title: 'The other', attributes: {} }
  const one = {
    ...other,
    id: 'one',
    title: 'The one',
    attributes: { near: { type: 'f:thing', id: 'other' } },
  }
  const { origin, asked } = await fakeWorld(
    t,
    discovery(),
    (path, response) =>
      path.startsWith('/api/entities/') && say(response, 200, path.endsWith('/one') ? one : other),
  )
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${await explorerFiles()}${inWorld(origin, 'e/f%3Athing/one')}`)
  await page.getByRole('heading', { name: 'Graph of references' }).click()
  await page
    .getByText('Only what it refers to: this world does not answer what refers to it. · All 1 shown')
    .waitFor()
  await page.locator('.reference-graph').getByRole('link', { name: 'The other' }).click()
  await page.getByRole('heading', { level: 1, name: 'The other' }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Graph of references' }).count(), 0)
  assert.ok(!asked.some((path) => path.includes('/actions/')))
  assert.deepEqual(wrongs, [])
})

/** Returns the labels in a graph that overlap others. */
function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const names = [...document.querySelectorAll('.reference-graph li .node-text, .reference-graph .middle strong')]
    const boxes = names.map((name) => ({ name: name.textContent, box: name.getBoundingClientRect() }))
    return boxes.flatMap((one, index) => boxes.slice(index + 1).filter(({ box }) =>
      box.left < one.box.right && box.right > one.box.left && box.top < one.box.bottom && box.bottom > one.box.top,
    ).map((other) => one.name + ' / ' + other.name))
  })()`)
}

test('explorer: search words and a CQL2 condition filter a list, and an error is shown beside its input', async (t) => {
  const { page } = (await openDemoPage(t, MOONS)) ?? {}
  if (page === undefined) return
  await page.getByRole('searchbox', { name: 'Search in this type' }).fill('ocean')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the filter: “ocean”' }).waitFor()
  await page.locator('.ask-panel').getByText('For developers').click()
  const box = page.getByLabel('Condition, in CQL2')
  await box.fill('radiusKm > > 5')
  await page.keyboard.press('Enter')
  await page.locator('.cql mark', { hasText: /^>$/ }).waitFor()
  await untilReads(page, 'document.activeElement.selectionStart', 11)
  assert.deepEqual(await violations(page), [])
  await box.fill('radiusKm > 1000')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove the filter: Radius > 1000' }).waitFor()
  assert.equal(await page.locator('.cql mark').count(), 0)
  await page.reload()
  await row(page, 1).getByRole('rowheader').waitFor()
  const found = await page.locator('h1 .count').textContent()
  assert.ok(Number(found) >= 1 && Number(found) < 10, String(found))
  await page.getByRole('button', { name: 'Remove all filters' }).click()
  await total(page, '122')
})

test('explorer: a list reports an invalid condition in its URL', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Amoon?where=radiusKm%20%3E')) ?? {}
  if (page === undefined) return
  await page.getByText('invalid_argument').first().waitFor()
  assert.deepEqual(await violations(page), [])
})

test('explorer: if the cursor of a filtered list has expired, the list restarts at its beginning', async (t) => {
  const { page } = (await openDemoPage(t, `${MOONS}&sort=-radiusKm&cursor=gone&before=50`)) ?? {}
  if (page === undefined) return
  await page.getByRole('heading', { name: 'This place in the list is gone' }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await row(page, 1).getByRole('link', { name: 'Ganymede' }).waitFor()
})

test('explorer: a query refused by the world shows its message and keeps the filters', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Amoon?in.nothing=1..2')) ?? {}
  if (page === undefined) return
  await page.getByText('invalid_input').first().waitFor()
  await page.getByRole('button', { name: 'Remove the filter: Nothing 1 – 2' }).click()
  await total(page, '122')
})

test('explorer: a search within one type leads to a list that can be filtered', async (t) => {
  const { page } = (await openDemoPage(t, 'search?text=ocean&type=sol%3Amoon')) ?? {}
  if (page === undefined) return
  await page.getByRole('link', { name: 'Filter, sort and count these' }).click()
  await page.getByRole('button', { name: 'Remove the filter: “ocean”' }).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Moon' }).waitFor()
})

test('explorer: no text is in English if German is selected', async (t) => {
  const { page } =
    (await openDemoPage(t, `${MOONS}&is.orbits=sol%3Aplanet%2Fsaturn`, { locale: 'de-DE' })) ?? {}
  if (page === undefined) return
  await page.getByRole('button', { name: 'Filter entfernen: Orbits = Saturn' }).waitFor()
  await page.getByLabel('Radius: von').waitFor()
  assert.deepEqual(await violations(page), [])
})

test('explorer: a world without queries keeps its lists and pages', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const entity = { type: 'f:thing', id: '1', title: 'One', attributes: { size: 1 } }
  const { origin, asked } = await fakeWorld(
    t,
    discovery(),
    (path, response) =>
      path.startsWith('/api/entities/') &&
      say(response, 200, path.endsWith('/1') ? entity : { entities: [entity], total: 1, limit: 1 }),
  )
  const { page } = await openPage(browser)
  const files = await explorerFiles()
  await page.goto(`${files}${inWorld(origin, 't/f%3Athing?view=table')}`)
  await page.getByRole('link', { name: 'One' }).click()
  await page.getByRole('heading', { level: 1, name: 'One' }).waitFor()
  await page.goBack()
  await page.getByRole('columnheader', { name: 'Size' }).waitFor()
  assert.equal(await page.locator('.ask-panel, thead button').count(), 0)
  assert.ok(!asked.some((path) => path.includes('/actions/')))
})

test('explorer: a search across types leads to the list of one of the types', async (t) => {
  const { page } = (await openDemoPage(t, 'search')) ?? {}
  if (page === undefined) return
  const refine = page.locator('details.refine')
  await refine.getByText('Filter, sort and count these').click()
  await refine.getByRole('link', { name: 'Moon 122' }).waitFor()
  const saturn = refine.getByRole('link', { name: 'Saturn 32' })
  await saturn.waitFor()
  assert.deepEqual(await violations(page), [])
  await saturn.click()
  await total(page, '32')
  assert.match(page.url(), /is\.orbits=sol%3Aplanet%2Fsaturn/)
})
