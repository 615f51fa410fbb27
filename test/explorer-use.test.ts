import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  demoWorld,
  explorerFiles,
  inWorld,
  openBrowser,
  openPage,
  untilReads,
  violations,
} from './browser.ts'
import { discovery, fakeWorld } from './fake-world.ts'

/** Reads the id of the focused element, or its place among the results. */
const FOCUSED =
  "document.activeElement.id || [...document.querySelectorAll('[data-main]')].indexOf(document.activeElement)"
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

test('explorer: at the root of a world, the page shows that world', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  await page.goto(origin)
  await heading(page, 'Sol')
  assert.equal(page.url(), `${origin}/${inWorld(origin)}`)
  assert.match(await page.title(), /^Sol – Worldwright/)
  assert.deepEqual(wrongs, [])
})

test('explorer: from a folder on a plain file server, the page opens a world elsewhere', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const [origin, files] = [await demoWorld(), await explorerFiles()]
  const { page, wrongs, requests } = await openPage(browser)
  await page.goto(files)
  await heading(page, 'Look at any world')
  assert.deepEqual(await violations(page), [])
  const box = page.getByLabel('Address of a world')
  await box.fill('not an address')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('This is not the address of a world').waitFor()
  await box.fill(origin.replace('http://', ''))
  await box.press('Enter')
  await heading(page, 'Sol')
  await page.goto(`${files}${inWorld(origin, 'e/sol%3Amoon/europa')}`)
  await page.reload()
  await heading(page, 'Europa')
  await page.getByRole('link', { name: 'Jupiter' }).first().waitFor()
  await page.goto(`${files}#/open`)
  await page.getByRole('link', { name: /Sol/ }).waitFor()
  await page.getByRole('button', { name: 'Forget Sol' }).click()
  await page.getByText('are remembered here').waitFor()
  const known = [new URL(files).origin, origin]
  assert.deepEqual(
    requests.filter((url) => !known.includes(new URL(url).origin)),
    [],
  )
  assert.deepEqual(wrongs, [])
})

test('explorer: search, results and entity pages can be used by keyboard alone', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  await page.goto(origin)
  await heading(page, 'Sol')
  await page.keyboard.press('/')
  await page.keyboard.type('jupiter', { delay: 15 })
  await page.keyboard.press('Enter')
  await page.getByText(/results for “jupiter”/).waitFor()
  await untilReads(page, FOCUSED, 'search')
  await page.keyboard.press('ArrowDown')
  await untilReads(page, FOCUSED, 0)
  await page.keyboard.press('ArrowDown')
  await untilReads(page, FOCUSED, 1)
  await page.keyboard.press('ArrowUp')
  await untilReads(page, FOCUSED, 0)
  await page.keyboard.press('Escape')
  await untilReads(page, FOCUSED, 'search')
  await page.keyboard.press('Enter')
  await untilReads(page, FOCUSED, 0)
  const first = await page.locator('[data-main]').first().innerText()
  await page.keyboard.press('Enter')
  await heading(page, first)
  await page.goBack()
  await page.getByText(/results for “jupiter”/).waitFor()
  await untilReads(page, 'document.getElementById("search").value', 'jupiter')
  await page.goBack()
  await heading(page, 'Sol')
  await untilReads(page, 'document.getElementById("search").value', '')
  await page.goForward()
  await page.getByText(/results for “jupiter”/).waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  assert.deepEqual(wrongs, [])
})

test('explorer: a result whose title does not match shows the field that does', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 'search?text=nasa')}`)
  const also = page.locator('.also mark', { hasText: /nasa/i })
  await also.first().waitFor()
  const asked = page.waitForRequest((request) => /wp(?::|%3A)discover/.test(request.url()))
  await page.locator('#search').fill('esa')
  assert.equal((await asked).postDataJSON().input.matchedIn, true)
  assert.deepEqual(wrongs, [])
})

test('explorer: filters narrow a search, matches are highlighted, and more results can be loaded', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 'search?text=jupiter')}`)
  await page.locator('mark').first().waitFor()
  const shown = await page.locator('.hit').count()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.locator('.hit').nth(shown).waitFor()
  await page.getByLabel('Moon').check()
  await page.waitForURL(/type=sol%3Amoon/)
  await page.getByText(/^25 results for “jupiter”/).waitFor()
  assert.equal(
    await page.locator('.filter label', { hasText: 'Comet' }).locator('.count').textContent(),
    '15',
  )
})

test('explorer: a space between two highlights is kept, and touch screens show no key hints', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const search = `${origin}/${inWorld(origin, 'search?text=ocean%20under%20the%20ice')}`
  for (const hasTouch of [false, true]) {
    const { page } = await openPage(browser, { hasTouch, isMobile: hasTouch })
    await page.goto(search)
    await page.locator('mark + mark').first().waitFor()
    assert.equal(await page.locator('.unseen').count(), 0)
    await page.goto(origin)
    await heading(page, 'Sol')
    assert.equal(await page.locator('.search-box kbd').isVisible(), !hasTouch)
  }
})

test('explorer: types that share a title are shown with their names', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const demo = await demoWorld()
  const { origin } = await fakeWorld(t, discovery({ entityTypes: ['a:book', 'b:book', 'a:film'] }))
  const { page } = await openPage(browser)
  await page.goto(`${demo}/${inWorld(origin)}`)
  await page.locator('.card').first().waitFor()
  const names = ['Book a:book', 'Book b:book', 'Film']
  assert.deepEqual(await page.locator('.card h3 a').allTextContents(), names)
  await page.goto(`${demo}/${inWorld(origin, 'search?text=x')}`)
  await page.locator('.filter label').first().waitFor()
  assert.deepEqual(await page.locator('.filter-name').allTextContents(), names)
})

test('explorer: a world and each of its types can be downloaded in the listed formats', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  const taken = async (format: string) => {
    await page.locator('summary').filter({ hasText: 'Download' }).click()
    const link = page.getByRole('link', { name: format, exact: true })
    await link.waitFor()
    assert.deepEqual(await violations(page), [])
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
  }
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet')}`)
  const { name, text } = await taken('CSV')
  assert.equal(name, 'sol-planet.csv')
  assert.match(text, /^\ufeff?id,title,summary,picture,aliases,orbits/)
  await page.getByText('Loses: Types of values').waitFor()
  assert.deepEqual(await page.locator('.downloads a').allTextContents(), [
    'NDJSON',
    'CSV',
    'Excel',
    'Parquet',
  ])
  await page.goto(`${origin}/${inWorld(origin)}`)
  const world = await taken('NDJSON')
  assert.equal(world.name, 'world.ndjson')
  assert.ok(world.text.includes('"type":"sol:planet"'))
  assert.deepEqual(wrongs, [])
})

test('explorer: an export of a filtered list contains only the matches', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet?is.kind=ice%20giant')}`)
  await page.locator('.tools summary', { hasText: 'Download' }).click()
  const [ndjson] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download NDJSON 2' }).click(),
  ])
  assert.equal(ndjson.suggestedFilename(), 'sol-planet.ndjson')
  const lines = (await readFile(await ndjson.path(), 'utf8')).trimEnd().split('\n')
  assert.equal(lines.length, 2)
  assert.equal(JSON.parse(lines[0] ?? '').type, 'sol:planet')
  assert.deepEqual(wrongs, [])
})

test('explorer: an action runs from a form generated from its schema', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 'about')}`)
  await page.getByRole('link', { name: /Try it.*wp:discover/ }).click()
  await page.getByLabel('Text').fill('volcano')
  await page.getByLabel('Limit').fill('1.5')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('Write a whole number.').waitFor()
  await page.getByLabel('Limit').fill('2')
  await page.getByRole('button', { name: 'Run' }).click()
  await page.getByText('"wp:discover"').waitFor()
  await page.waitForURL(/input=/)
  await page.reload()
  assert.equal(await page.getByLabel('Text').inputValue(), 'volcano')
  await page.getByText('"wp:discover"').waitFor()
})

test('explorer: a selected language and colour scheme persist', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page } = await openPage(browser, { colorScheme: 'light' })
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Aplanet/jupiter')}`)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Farben').selectOption('dark')
  await page.reload()
  await page.getByText('4.333').waitFor()
  await page.getByText('Tage').first().waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de')
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
  assert.deepEqual(await violations(page), [])
})

test('explorer: a change of language or colours in one tab takes effect in a second tab', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser, { colorScheme: 'light' })
  const files = await explorerFiles()
  await page.goto(files)
  const second = await page.context().newPage()
  await second.goto(files)
  await heading(second, 'Look at any world')
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Farben').selectOption('dark')
  await heading(second, 'Jede Welt ansehen')
  await second.locator('html[data-scheme="dark"]').waitFor()
})
