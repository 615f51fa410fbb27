import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoWorld, explorerFiles, keepScreenshot, openBrowser, openPage, violations } from './browser.ts'

test('explorer: recent worlds are searched together, and the one that is gone is named', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const [files, world] = await Promise.all([explorerFiles(), demoWorld()])
  const { page } = await openPage(browser)
  await page.goto(`${files}#/open`)
  const recent = [
    { origin: world, name: 'Sol' },
    { origin: 'http://127.0.0.1:1', name: 'Gone' },
  ]
  await page.evaluate((text) => localStorage.setItem('worldwright.recent', text), JSON.stringify(recent))
  await page.reload()
  await page.getByLabel('Search these worlds together').fill('ocean under the ice')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const gone = page.getByText('http://127.0.0.1:1: ')
  await gone.waitFor()
  await page.getByRole('link', { name: 'Europa' }).first().waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'together')
  await page.reload()
  await page.getByRole('link', { name: 'Europa' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Europa' }).waitFor()
  assert.ok(page.url().includes(`#/w/${encodeURIComponent(world)}/e/`))
})
