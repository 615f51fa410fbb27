/** Suggestions below the search box, and explanations of search hits, on the demo world. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Request } from 'playwright-core'
import { demoWorld, inWorld, openBrowser, openPage, violations } from './browser.ts'

async function opened(context: TestContext, rest: string) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const origin = await demoWorld()
  const watched = await openPage(browser)
  await watched.page.goto(`${origin}/${inWorld(origin, rest)}`)
  const box = watched.page.getByRole('combobox', { name: 'Search this world' })
  await box.waitFor()
  return { ...watched, box }
}

test('explorer: arrow keys select a suggestion, and Enter opens it', async (t) => {
  const { page, box, wrongs } = (await opened(t, '')) ?? {}
  if (page === undefined || box === undefined) return
  // Until the results for the whole text arrive, the list shows those for its beginning and selects nothing.
  const isWhole = (request: Request) => /"text":"ganymede"/.test(request.postData() ?? '')
  // The page may end the request once it has read the answer.
  const answered = Promise.race([
    page.waitForEvent('requestfinished', isWhole),
    page.waitForEvent('requestfailed', isWhole),
  ])
  await box.pressSequentially('ganymede', { delay: 15 })
  await answered
  const first = page.getByRole('option', { name: /^Ganymede/ }).first()
  await first.waitFor()
  assert.equal(await box.getAttribute('aria-expanded'), 'true')
  assert.equal(await page.getByRole('option', { selected: true }).count(), 0)
  await page.keyboard.press('ArrowDown')
  assert.equal(await box.getAttribute('aria-activedescendant'), 'suggestion-0')
  assert.equal(await first.getAttribute('aria-selected'), 'true')
  assert.deepEqual(await violations(page), [])
  await page.keyboard.press('ArrowUp')
  assert.equal(await page.getByRole('option', { selected: true }).count(), 0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Ganymede' }).waitFor()
  assert.equal(await page.getByRole('listbox').count(), 0)
  assert.equal(await box.inputValue(), '')
  assert.deepEqual(wrongs, [])
})

test('explorer: Enter without a selection searches, Escape closes the suggestions, and a click opens one', async (t) => {
  const { page, box } = (await opened(t, 'e/sol%3Aplanet/mars')) ?? {}
  if (page === undefined || box === undefined) return
  await box.pressSequentially('titan', { delay: 15 })
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  assert.equal(await box.inputValue(), 'titan')
  await page.keyboard.press('Enter')
  await page.getByText(/results for “titan”/).waitFor()
  assert.equal(await page.getByRole('listbox').count(), 0)
  await page.goBack()
  await box.pressSequentially('callisto', { delay: 15 })
  await page.getByRole('option', { name: /^Callisto/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Callisto' }).waitFor()
})

test('explorer: a hit whose title does not match shows the attribute that does', async (t) => {
  const { page } = (await opened(t, 'search?text=tellus')) ?? {}
  if (page === undefined) return
  const earth = page.locator('.hit', { has: page.getByRole('link', { name: 'Earth', exact: true }) })
  await earth.getByText('Also matching: Aliases: Tellus').waitFor()
  assert.equal(await earth.locator('mark').innerText(), 'Tellus')
})
