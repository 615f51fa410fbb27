/** Charts of a world with more entities than are drawn one by one. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { FILE, inWorld, openBrowser, openPage, violations } from './browser.ts'
import { serve } from './command.ts'

const DEFINITION = `
name: Places
types:
  - type: f:place
    title: Place
    schema:
      type: object
      properties:
        latitude: { type: number }
        longitude: { type: number }
        size: { type: integer }
        kind: { type: string }
sources: [{ file: places.ndjson }]
`

/** Starts a world whose first 5,400 places by id are in Portugal, and whose other 600 are in Singapore. */
async function startPlaces(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  const lines = Array.from({ length: 6_000 }, (_, index) => {
    const isLast = index >= 5_400
    const [latitude, longitude] = isLast ? [1.3, 103.8] : [39 + (index % 60) / 60, -8 - (index % 90) / 90]
    const attributes = { latitude, longitude, size: isLast ? 900 : index % 50, kind: `kind ${index % 3}` }
    return JSON.stringify({
      type: 'f:place',
      id: `p${String(index).padStart(5, '0')}`,
      title: `P ${index}`,
      attributes,
    })
  })
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await writeFile(join(folder, 'places.ndjson'), `${lines.join('\n')}\n`)
  const { origin } = await serve(
    FILE,
    folder,
    '--store',
    `sqlite:${join(folder, 'world.db')}`,
    '--workers',
    '1',
  )
  return origin
}

let places: Promise<string> | undefined

/** Opens a page of the world of places. Returns undefined without a browser. */
async function openPlaces(context: TestContext, rest: string) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  places ??= startPlaces()
  const origin = await places
  const watched = await openPage(browser, { viewport: { width: 1280, height: 900 } })
  await watched.page.goto(`${origin}/${inWorld(origin, rest)}`)
  return watched
}

test('explorer: the map of a large world has cells where its entities are, and a click shows those of a cell', async (t) => {
  const { page, wrongs } = (await openPlaces(t, 't/f%3Aplace?view=map')) ?? {}
  if (page === undefined || wrongs === undefined) return
  await page.getByText('Map of the Earth with 6,000 places · Cells count all 6,000').waitFor()
  assert.deepEqual(await violations(page), [])
  const map = (await page.locator('.map-box').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const across = (await page.evaluate(
    "[...document.querySelectorAll('.cells rect')].map((cell) => cell.getBoundingClientRect().x)",
  )) as number[]
  const shares = across.map((x) => (x - map.x) / map.width)
  assert.ok(Math.min(...shares) < 0.2 && Math.max(...shares) > 0.8, `${shares}`)
  // The places in Singapore come last by id, so the first 5,000 would not show them.
  await page
    .locator('.cells rect')
    .nth(shares.indexOf(Math.max(...shares)))
    .click()
  await page.locator('h1 .count', { hasText: /^600$/ }).waitFor()
  await page.getByText('Map of the Earth with 600 places · All 600 shown').waitFor()
  await page.goBack()
  await page.getByText('As a table').click()
  await page.locator('.chart-table tbody tr', { hasText: '101.25° E' }).getByRole('button').click()
  await page.getByText('All 600 shown').waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: a scatter plot of a large world has cells, and points with colours once they are few', async (t) => {
  const { page, wrongs } = (await openPlaces(t, 't/f%3Aplace?view=scatter&x=size&y=latitude')) ?? {}
  if (page === undefined || wrongs === undefined) return
  await page.getByText('Latitude against Size · Cells count all 6,000').waitFor()
  await page.getByLabel('Colour').selectOption({ label: 'Size' })
  await page.locator('.legend', { hasText: 'Size' }).waitFor()
  assert.deepEqual(await violations(page), [])
  const last = page.locator('.cells rect').last()
  await last.hover()
  await page.locator('.tip').waitFor()
  await page.getByText('As a table').click()
  await page.locator('.chart-table tbody tr', { hasText: 'Size 900' }).getByRole('button').click()
  await page.getByText('All 600 shown').waitFor()
  await page.getByLabel('Colour').selectOption({ label: 'Kind' })
  await page.locator('.legend', { hasText: 'kind 2' }).waitFor()
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(wrongs, [])
})
