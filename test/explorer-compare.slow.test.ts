/** Comparison of entities of the demo world: the tray, which fills from lists and pages, and the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { keepScreenshot, openDemoPage, untilReads, violations } from './browser.ts'

const press = (page: Page, name: string) =>
  page
    .getByRole('button', { name: `Compare: ${name}` })
    .first()
    .click()

test('explorer: entities of lists, searches and pages are put into the tray and compared', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 't/sol%3Aplanet')) ?? {}
  if (page === undefined) return
  const list = page.url()
  const tray = page.getByRole('complementary', { name: 'Compare' })
  await page.getByRole('button', { name: 'Compare: Earth' }).waitFor()
  assert.equal(await tray.count(), 0)
  await page.getByRole('button', { name: 'Compare: Earth' }).focus()
  await page.keyboard.press('Enter')
  await tray.waitFor()
  await page.getByRole('button', { name: 'Compare: Earth', pressed: true }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Compare: 1 / 6' }).waitFor({ state: 'attached' })
  await page.goto(list.replace('t/sol%3Aplanet', 'e/sol%3Amoon/titan'))
  await press(page, 'Titan')
  await page.goto(list.replace('t/sol%3Aplanet', 'search?text=mars'))
  await press(page, 'Mars')
  await page.reload()
  await tray.getByRole('link', { name: 'Compare: 3 / 6' }).waitFor()
  await tray.getByRole('button', { name: 'Remove: Titan' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await tray.getByRole('link').click()
  await page.getByRole('columnheader', { name: 'Titan Moon' }).waitFor()
  // Every row differs, so that none has a sign.
  await page.getByRole('row', { name: 'Orbits Sun Saturn Sun' }).waitFor()
  await page.getByRole('row', { name: /^Order from sun 3 no value 4$/ }).waitFor()
  assert.match(await page.title(), /^Compare: Earth, Titan, Mars – /)
  const parts = await page.evaluate(
    "[...document.querySelectorAll('.drawn > i')].slice(0, 2).map((bar) => bar.style.getPropertyValue('--part'))",
  )
  assert.deepEqual(parts, ['0.75', '1'])
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'comparison')
  const inset = `(() => {
    const [bar] = document.querySelectorAll('.drawn > i')
    return bar.getBoundingClientRect().left - bar.parentElement.getBoundingClientRect().left
  })()`
  assert.equal(await page.evaluate(inset), 14)
  // The focus moves to the next entity, and after the last one to the page.
  await tray.getByRole('button', { name: 'Remove: Earth' }).click()
  await untilReads(page, 'document.activeElement.textContent', 'Remove: Titan')
  await page.keyboard.press('Enter')
  await untilReads(page, 'document.activeElement.textContent', 'Remove: Mars')
  await page.keyboard.press('Enter')
  await tray.waitFor({ state: 'detached' })
  await untilReads(page, 'document.activeElement.id', 'main')
  await page.goto(list.replace('t/sol%3Aplanet', 'compare/sol%3Amoon/io/sol%3Amoon/europa'))
  await page.getByRole('row', { name: 'Orbits Jupiter Jupiter' }).waitFor()
  await page.getByRole('row', { name: /^Radius ≠ \(differs\) 1,821\.6/ }).waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: the tray takes six entities, and others say that it is full', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Aplanet?view=gallery')) ?? {}
  if (page === undefined) return
  for (const name of ['Earth', 'Jupiter', 'Mars', 'Mercury', 'Neptune', 'Saturn']) await press(page, name)
  await page.getByRole('button', { name: 'Six at most: Uranus', disabled: true }).waitFor()
  await press(page, 'Mars')
  await page.getByRole('button', { name: 'Compare: Uranus', disabled: false }).waitFor()
})

test('explorer: a shared comparison says which entities are missing, on a phone and in Arabic', async (t) => {
  const rest = 'compare/sol%3Aplanet/earth/sol%3Aplanet/vulcan'
  const options = { viewport: { width: 390, height: 844 }, locale: 'ar' }
  const { page, wrongs } = (await openDemoPage(t, rest, options)) ?? {}
  if (page === undefined) return
  await page
    .getByRole('columnheader', { name: /^vulcan/ })
    .locator('.wrong')
    .waitFor()
  await page.getByRole('columnheader', { name: /^Earth/ }).waitFor()
  assert.equal(await page.locator('.comparison').getByText('≠').count(), 0)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'comparison-arabic')
  assert.deepEqual(wrongs, [])
})
