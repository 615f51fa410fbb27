/** Pinned views of the demo world: the button of a list, the home page and the commands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepScreenshot, openDemoPage, violations } from './browser.ts'

const VIEW = 'sol%3Amoon?view=table&is.orbits=sol%3Aplanet%2Fsaturn&in.radiusKm=100..&sort=-radiusKm'

test('explorer: a list is pinned under the title of its page without scripts, found again and removed', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, `t/${VIEW}`)) ?? {}
  if (page === undefined) return
  const { origin } = new URL(page.url())
  const written = await (await fetch(`${origin}/v/${VIEW}`)).text()
  const title = /<h1[^>]*>([^<]+)</.exec(written)?.[1] ?? 'none'
  assert.match(title, /: radius at least 100, orbits Saturn, by radius, largest first$/)
  const pin = page.getByRole('button', { name: 'Pin', exact: true })
  const pressed = page.locator('.pin[aria-pressed=true]')
  await pin.focus()
  await page.keyboard.press('Enter')
  await pressed.waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'pins-list')
  await page.reload()
  await pressed.waitFor()

  await page.goto(`${origin}/#/w/${encodeURIComponent(origin)}/`)
  const link = page.getByRole('link', { name: title, exact: true })
  await link.waitFor()
  await page.getByRole('heading', { name: 'Pinned views' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await link.scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'pins-home')
  for (const [language, heading] of [
    ['ar', 'العروض المثبّتة'],
    ['de', 'Angeheftete Ansichten'],
    ['es', 'Vistas fijadas'],
    ['en', 'Pinned views'],
  ] as const) {
    await page.evaluate(`localStorage.setItem('worldwright.language', '${language}')`)
    await page.reload()
    await page.getByRole('heading', { name: heading }).waitFor()
    assert.deepEqual(await violations(page), [])
  }

  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search and commands' })
  await dialog.getByRole('combobox').fill('pinned saturn')
  await dialog.getByRole('option', { name: `${title} Pinned views` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=-radiusKm/)
  await pressed.waitFor()

  await page.goBack()
  await page.getByRole('button', { name: `Remove: ${title}` }).click()
  await link.waitFor({ state: 'detached' })
  await page.waitForFunction("document.activeElement.id === 'main'")
  assert.deepEqual(wrongs, [])
})
