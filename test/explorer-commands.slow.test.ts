/** Dialog of commands on the demo world. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepScreenshot, openDemoPage, untilReads, violations } from './browser.ts'

test('explorer: Ctrl-K finds layouts, filters, entities and settings, and the focus returns', async (t) => {
  const { page, wrongs, requests } = (await openDemoPage(t, 't/sol%3Amoon')) ?? {}
  if (page === undefined || requests === undefined) return
  const dialog = page.getByRole('dialog', { name: 'Search and commands' })
  const box = dialog.getByRole('combobox', { name: 'Search and commands' })
  const selected = dialog.getByRole('option', { selected: true })
  await page.locator('.ask-property').first().waitFor()
  const search = page.getByRole('combobox', { name: 'Search this world' })
  await search.focus()
  assert.ok(requests.every((url) => !url.includes('command-dialog')))
  await page.keyboard.press('Control+k')
  await box.waitFor()
  await untilReads(page, "document.activeElement.closest('dialog') !== null", true)
  await dialog.getByRole('option', { name: 'Share' }).waitFor()
  await box.pressSequentially('gan')
  await dialog.getByRole('option', { name: 'Ganymede Moon' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'commands')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await untilReads(page, 'document.activeElement.id', 'search')

  await page.keyboard.press('Control+k')
  await box.fill('radius')
  await selected.filter({ hasText: 'Filters' }).waitFor()
  await page.keyboard.press('Enter')
  await untilReads(page, 'document.activeElement.tagName', 'SUMMARY')

  await page.keyboard.press('Control+k')
  await box.fill('layout scat')
  await selected.filter({ hasText: 'Scatter' }).waitFor()
  assert.equal(await box.getAttribute('aria-activedescendant'), await selected.getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL(/view=scatter/)

  await page.keyboard.press('Control+k')
  await box.fill('ganymede')
  await dialog.getByRole('option', { name: 'Ganymede Moon' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ganymede' }).waitFor()
  // The heading, or until it is known the content.
  await untilReads(page, "document.activeElement.matches('h1, main')", true)

  await page.keyboard.press('Control+k')
  await box.fill('compare')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Compare' }).waitFor()
  await page.keyboard.press('Control+k')
  await box.fill('العربية')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'قارن' }).waitFor()
  await page.keyboard.press('Control+k')
  const arabic = page.getByRole('dialog', { name: 'البحث والأوامر' })
  await arabic.getByRole('combobox').fill('no such thing')
  // The search of the world is always the last option, here the only one.
  await arabic.getByRole('option').waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'commands-arabic')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL(/search\?text=no\+such\+thing/)
  assert.deepEqual(wrongs, [])
})
