/** The explorer in each of its languages, as a user sees it. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { demoWorld, explorerFiles, inWorld, openBrowser, openPage, violations } from './browser.ts'

async function opened(context: TestContext, rest: string, locale: string) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const origin = await demoWorld()
  const watched = await openPage(browser, { locale })
  await watched.page.goto(`${origin}/${inWorld(origin, rest)}`)
  return watched
}

for (const [locale, text, number] of [
  ['es-ES', 'Qué contiene', '16,689'],
  ['ar-EG', 'ما الذي يحتويه', '١٦٫٦٨٩'],
] as const) {
  test(`explorer: ${locale} and its number format are used from the first paint`, async (t) => {
    const { page, wrongs } = (await opened(t, '', locale)) ?? {}
    if (page === undefined) return
    await page.getByRole('heading', { name: text }).waitFor({ state: 'attached' })
    assert.deepEqual(await violations(page), [])
    await page.evaluate(`location.hash = location.hash + 'e/sol%3Amoon/callisto'`)
    await page.getByText(number).waitFor()
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(wrongs, [])
  })
}

test('explorer: Arabic runs from right to left, but code and numbers do not', async (t) => {
  const { page } = (await opened(t, 'e/sol%3Aplanet/mars', 'ar-MA')) ?? {}
  if (page === undefined) return
  const box = async (selector: string) => {
    const found = await page.locator(selector).first().boundingBox()
    assert.ok(found !== null, selector)
    return found
  }
  await page.locator('.neighbours .arrow').first().waitFor()
  assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl')
  const width = page.viewportSize()?.width ?? 0
  const [label, value, title] = [await box('.attributes dt'), await box('.attributes dd'), await box('h1')]
  assert.ok(label.x > value.x && title.x + title.width > width / 2)
  // A name in Latin letters is aligned to the right as well.
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('h1 bdi')).textAlign`), 'right')
  assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('pre')).direction`), 'ltr')
  assert.match((await page.locator('.attributes').allInnerTexts()).join(' '), /\u200e6,417 × 10²³/)
  assert.match(
    (await page.evaluate(`getComputedStyle(document.querySelector('.arrow')).transform`)) as string,
    /^matrix\(-1/,
  )
  await page.setViewportSize({ width: 320, height: 700 })
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
})

test('explorer: if a language fails to load, the page stays in English and is marked as English', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser, { locale: 'es-ES' })
  await page.route(/\/es-[^/]+\.js$/, (route) => route.abort())
  await page.goto(await explorerFiles())
  await page.getByRole('heading', { name: 'Look at any world' }).waitFor()
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
})
