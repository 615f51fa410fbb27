import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { demoWorld, inWorld, openBrowser, openDemoPage, openPage, untilReads } from './browser.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'

const MOONS = 't/sol%3Amoon'
const DESKTOP = { viewport: { width: 1280, height: 800 } }

/** Returns what the page's script `code` evaluates to. */
const read = async <T>(page: Page, code: string) => (await page.evaluate(code)) as T

test('explorer: without its filters, a list keeps its own column, where a failure is readable', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page } = await openPage(browser, DESKTOP)
  await page.route(/ask-panel-|entities/, (route) => route.abort())
  await page.goto(`${origin}/${inWorld(origin, MOONS)}`)
  await page.locator('.list-foot .failure').waitFor()
  const box = await page.locator('.list-foot .failure').boundingBox()
  assert.ok((box?.x ?? 0) > 300 && (box?.width ?? 0) > 600, JSON.stringify(box))
})

test('explorer: the Tab key reaches the rows of a list before the filters, to which a link skips', async (t) => {
  const opened = await openDemoPage(t, MOONS, DESKTOP)
  if (opened === undefined) return
  const { page } = opened
  await page.locator('.scroller td a').first().waitFor()
  await page.locator('.values li').first().waitFor()
  const reached: string[] = []
  for (let tabs = 1; tabs <= 30; tabs++) {
    await page.keyboard.press('Tab')
    const where =
      "document.activeElement.matches('tbody :is(th, td) a') ? 'row' : document.activeElement.textContent"
    reached.push(await read(page, where))
    if (reached.at(-1) === 'Filters') await page.keyboard.press('Enter')
    if (reached.at(-1) === 'Filters')
      await untilReads(page, "document.activeElement.matches('.ask-panel input')", true)
    if (reached.at(-1) === 'Filters') await page.locator('.list-body > .skip').focus()
    if (reached.at(-1) === 'row') break
  }
  assert.equal(reached.at(-1), 'row', reached.join(', '))
  assert.ok(reached.includes('Filters'))
})

test('explorer: the rows of a list on a phone begin within the first 30 % of the screen, below buttons of 24 pixels', async (t) => {
  const opened = await openDemoPage(t, MOONS, { viewport: { width: 390, height: 844 }, hasTouch: true })
  if (opened === undefined) return
  const { page } = opened
  await page.locator('.ask-panel').waitFor()
  const row = await page.locator('.plain-list li').first().boundingBox()
  assert.ok((row?.y ?? 844) <= 0.3 * 844, JSON.stringify(row))
  const low = `[...document.querySelectorAll('.list-head :is(a, button, summary), .ask-panel > summary, .list-tools select')]
    .map((one) => one.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height) >= 24)`
  const targets = await read<boolean[]>(page, low)
  assert.ok(targets.length >= 10 && targets.every(Boolean), `${targets}`)
  await page.getByRole('button', { name: 'Pin' }).waitFor()
  await page.locator('.ask-panel > summary').click()
  const [panel, rows] = await Promise.all(
    ['.ask-panel', '.plain-list'].map((one) => page.locator(one).boundingBox()),
  )
  assert.ok(panel && rows && panel.y + panel.height <= rows.y, JSON.stringify([panel, rows]))
})

for (const width of [1280, 1920])
  test(`explorer: the bar, the head, the filters and the rows of a list share their edges, ${width} pixels wide`, async (t) => {
    const opened = await openDemoPage(t, MOONS, { viewport: { width, height: 800 } })
    if (opened === undefined) return
    const { page } = opened
    for (const late of ['.ask-panel', '.scroller']) await page.locator(late).waitFor()
    const ends = (selectors: string[], side: 'left' | 'right') =>
      read<number[]>(
        page,
        `${JSON.stringify(selectors)}.map((one) => Math.round(document.querySelector(one).getBoundingClientRect().${side}))`,
      )
    // The logo has a margin in its picture.
    assert.deepEqual(await ends(['.brand .icon', 'h1', '.ask-panel'], 'left'), [31, 32, 32])
    assert.deepEqual(await ends(['.list-head > .switch', '.list-tools', '.scroller'], 'right'), [
      width - 32,
      width - 32,
      width - 32,
    ])
  })

test('explorer: a printed list has its rows, but neither filters nor buttons', async (t) => {
  const opened = await openDemoPage(t, `${MOONS}?is.retrograde=true`, DESKTOP)
  if (opened === undefined) return
  const { page } = opened
  await page.locator('.scroller td a').first().waitFor()
  await page.emulateMedia({ media: 'print' })
  const isShown = (selector: string) => page.locator(selector).first().isVisible()
  assert.ok((await isShown('.scroller td a')) && (await isShown('h1')) && (await isShown('thead th')))
  for (const selector of ['.ask-panel', '.list-tools', '.list-foot button', '.top-bar', '.list-head .tools'])
    assert.equal(await isShown(selector), false, selector)
})

test('explorer: a name that begins in Arabic is cut at its end, which is at the left', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const demo = await demoWorld()
  const name = 'مكتبة الإسكندرية Bibliotheca Alexandrina القديمة والحديثة'
  const entities = [{ type: 'a:book', id: 'x', title: name, attributes: {} }]
  const { origin } = await fakeWorld(
    t,
    discovery({ entityTypes: ['a:book', 'a:film', 'a:song', 'a:play'] }),
    (path, response) =>
      path.startsWith('/api/entities') && say(response, 200, { entities, total: 1, limit: 4 }),
  )
  const { page } = await openPage(browser, DESKTOP)
  await page.goto(`${demo}/${inWorld(origin)}`)
  await page.locator('.chip').first().waitFor()
  const cut = await read<{ isCut: boolean; direction: string; fits: boolean }>(
    page,
    `(() => {
      const chip = document.querySelector('.chip')
      const text = chip.querySelector('bdi')
      const { direction, overflow } = getComputedStyle(text)
      return { isCut: text.scrollWidth > text.clientWidth, direction, fits: chip.scrollWidth <= chip.clientWidth }
    })()`,
  )
  assert.deepEqual(cut, { isCut: true, direction: 'rtl', fits: true })
})

test('explorer: the about page is short, and its disclosures are at least 24 pixels high', async (t) => {
  const opened = await openDemoPage(t, 'about', DESKTOP)
  if (opened === undefined) return
  const { page } = opened
  await page.getByText('For developers').waitFor()
  const height = await read<number>(page, 'document.documentElement.scrollHeight')
  assert.ok(height < 4_000, `${height}`)
  await page.getByText('For developers').click()
  await page.locator('.json summary').first().waitFor()
  const small = `[...document.querySelectorAll('main :is(summary, button, a.button)')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
    .map((one) => one.outerHTML.slice(0, 80))`
  assert.deepEqual(await read(page, small), [])
})

test('explorer: names on a timeline are at least 24 pixels high', async (t) => {
  const opened = await openDemoPage(t, 't/sol%3Amission?view=timeline', DESKTOP)
  if (opened === undefined) return
  const { page } = opened
  await page.locator('.events a').first().waitFor()
  const low = `[...document.querySelectorAll('.events a')]
    .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => height < 24 || width < 24).length`
  assert.equal(await read(page, low), 0)
})
