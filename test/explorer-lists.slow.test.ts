/** Lists in the explorer: menus, cards, sorting by distance, and long lists. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  demoWorld,
  explorerFiles,
  inWorld,
  openBrowser,
  openDemoPage,
  openPage,
  untilReads,
  violations,
} from './browser.ts'
import { discovery, type FakeRoute, fakeWorld, say } from './fake-world.ts'

const row = (page: Page, number: number) => page.locator('.scroller tbody tr').nth(number - 1)
const total = (page: Page, number: string) =>
  page.locator('h1 .count', { hasText: new RegExp(`^${number}$`) }).waitFor()

test('explorer: a menu closes on a press outside it and on Escape, which also focuses its button', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet?view=table')}`)
  const box = page.locator('.menu[open] .menu-box')
  const button = page.locator('summary').filter({ hasText: 'Columns' })
  await button.click()
  await box.getByRole('checkbox').first().focus()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'hidden' })
  await untilReads(page, 'document.activeElement?.textContent', 'Columns')
  await page.keyboard.press('Enter')
  await box.waitFor()
  await page.getByRole('heading', { level: 1 }).click()
  await box.waitFor({ state: 'hidden' })
  // Press a key right after opening the menu, before anything is drawn.
  const isOpen = await page.evaluate(`(() => {
    const summary = [...document.querySelectorAll('summary')].find((one) => one.textContent === 'Columns')
    summary.click()
    summary.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    return summary.parentElement.open
  })()`)
  assert.equal(isOpen, false)
})

test('explorer: on a phone, a table becomes a list of cards with a sort menu', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser, { viewport: { width: 320, height: 700 } })
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet?view=table')}`)
  const cards = page.locator('.row-cards li')
  await cards.first().getByText('Semi major axis').waitFor()
  assert.equal(await page.locator('table').count(), 0)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
  await page.getByLabel('Order', { exact: true }).selectOption({ label: 'Radius ↓' })
  await page.waitForURL(/sort=-radiusKm/)
  await cards.first().getByRole('link', { name: 'Jupiter' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('columnheader', { name: 'Radius' }).waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: entities can be sorted by distance from an entity or from a location in the filters', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 'e/sol%3Afeature/olympus-mons')) ?? {}
  if (page === undefined) return
  // The link may move while other content is loading, so a click could miss it.
  await page.getByRole('link', { name: 'Nearest to it' }).press('Enter')
  // There is no distance to locations on other bodies, so only those on Mars remain.
  await total(page, '8')
  await page.getByRole('button', { name: /^Remove the filter: Nearest to 18.65° N, 133.8° W/ }).waitFor()
  await page.locator('th[aria-sort=ascending]', { hasText: /^Distance\s+km$/ }).waitFor()
  assert.match(await row(page, 1).innerText(), /^Olympus Mons\s+0\s/)
  const distances = (await page.locator('td.sort-value').allInnerTexts()).map((text) =>
    Number(text.replace(/\D/g, '')),
  )
  assert.deepEqual(
    distances,
    distances.toSorted((a, b) => a - b),
  )
  assert.deepEqual(await violations(page), [])
  const box = page.getByLabel('Nearest to: latitude, longitude')
  await box.fill('nowhere')
  await box.press('Enter')
  await page.getByRole('alert').getByText('Two numbers of degrees').waitFor()
  assert.match(page.url(), /near\.attributes=18\.65%2C-133\.8/)
  await box.fill('-42.4, 70.5')
  await box.press('Enter')
  await page.waitForURL(/near\.attributes=-42\.4%2C70\.5/)
  await row(page, 1).getByText('Hellas Planitia').waitFor()
  await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
  await page.waitForURL(/^(?!.*near\.).*sort=title/)
  assert.deepEqual(wrongs, [])
})

test('explorer: results that arrive late do not change the text being typed', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const boxes = [
    ['Nearest to: latitude, longitude', '48.86, 2.35', /near\.attributes=48\.86%2C2\.35/],
    ['Founded year: from', '1600', /foundedYear=1600/],
    ['Search in this type', 'telescope', /=telescope/],
  ] as const
  for (const [label, text, address] of boxes) {
    const { page, wrongs } = await openPage(browser)
    const isTyped = Promise.withResolvers<void>()
    await page.route(/worldwright%3Aquery/, async (route) => {
      await isTyped.promise
      await route.continue()
    })
    await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aobservatory?view=table')}`)
    const box = page.getByLabel(label, { exact: true })
    // A filter shows two seconds after the list, if its counts have not arrived.
    await box.click()
    await box.pressSequentially(text)
    isTyped.resolve()
    await page.locator('.ask-property meter').first().waitFor()
    assert.equal(await box.inputValue(), text)
    await box.press('Enter')
    await page.waitForURL(address)
    assert.deepEqual(wrongs, [])
    await page.context().close()
  }
})

test('explorer: a rare facet value can be found by its prefix', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 't/sol%3Aperson?view=table')) ?? {}
  if (page === undefined) return
  const box = page.getByLabel('Nationality: another value')
  await box.pressSequentially('Da')
  await page.locator('datalist option[value="Danish"]').waitFor({ state: 'attached' })
  await box.fill('Danish')
  await page.waitForURL(/is\.nationality=Danish/)
  await page.getByRole('checkbox', { name: /^Danish/ }).waitFor()
  assert.equal(await box.inputValue(), '')
  // While the rows are those of the previous query, they are marked as busy.
  await page.locator('#results[aria-busy="false"]').waitFor()
  assert.deepEqual(await violations(page), [])
  await box.fill('Persian')
  await box.press('Enter')
  await page.getByRole('button', { name: 'Remove the filter: Nationality = Danish or Persian' }).waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: the newest entries show their time', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Aplanet?view=list&sort=-createdAt')) ?? {}
  if (page === undefined) return
  await page
    .locator('.plain-list .sort-value', { hasText: String(new Date().getUTCFullYear()) })
    .first()
    .waitFor()
})

/** Route of a fake world with one long list, served in pages of the requested size. */
const LONG: FakeRoute = (path, response, request) => {
  if (path !== '/api/entities/f%3Athing') return false
  const asked = new URL(request.url ?? '', 'http://fake').searchParams
  const [from, limit] = [Number(asked.get('cursor') ?? 0), Number(asked.get('limit') ?? 10)]
  const ids = Array.from({ length: Math.min(limit, 350 - from) }, (_, index) => String(from + index + 1))
  const entities = ids.map((id) => ({ type: 'f:thing', id, title: `Thing ${id}`, attributes: { id } }))
  const nextCursor = from + limit < 350 ? String(from + limit) : undefined
  return say(response, 200, { entities, nextCursor, total: 350, limit })
}

test('explorer: an export contains the whole list, not just the part that is loaded', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin } = await fakeWorld(t, discovery(), LONG)
  const { page } = await openPage(browser)
  await page.goto(`${await explorerFiles()}${inWorld(origin, 't/f%3Athing')}`)
  await page.getByText('100 of 350 loaded').waitFor()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV 350' }).click(),
  ])
  assert.equal((await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n').length, 351)
  await page.getByText('350 rows saved.').waitFor()
})

test('explorer: a long list keeps its position after a reload and loads earlier entries', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin } = await fakeWorld(t, discovery(), LONG)
  const { page } = await openPage(browser)
  await page.goto(`${await explorerFiles()}${inWorld(origin, 't/f%3Athing')}`)
  for (const loaded of ['200', '300']) {
    await page.getByRole('button', { name: 'Load more' }).click()
    await page.getByText(`${loaded} of 350 loaded`).waitFor()
  }
  await page.evaluate('document.querySelector(".scroller").scrollTop = 1e9')
  await page.waitForURL(/cursor=200&before=200/)
  await page.reload()
  for (const before of [200, 100]) {
    await page.getByText(`This list begins after ${before} others.`).waitFor()
    await page.getByRole('button', { name: 'Show earlier ones' }).click()
  }
  await page.getByText('This list begins after').waitFor({ state: 'hidden' })
  await page.evaluate('document.querySelector(".scroller").scrollTop = 0')
  await page.getByRole('link', { name: 'Thing 1', exact: true }).waitFor()
  assert.deepEqual(await violations(page), [])
})
