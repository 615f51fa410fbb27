/** How the values of other people's entities look: a fake world of odd ones, on the page's bare files. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { explorerFiles, FILE, inWorld, openBrowser, openPage, violations } from './browser.ts'
import { discovery, type FakeWorld, fakeWorld, say } from './fake-world.ts'

const ATTRIBUTES: Readonly<Record<string, object>> = {
  corners: {
    corners: [
      [13, 52],
      [14, 52],
    ],
    born: '2024-02-30',
    isbn13: 9780439023480,
    pages: 1234,
  },
  point: { location: { type: 'Point', coordinates: [13.4, 52.5] } },
}

let started: Promise<FakeWorld> | undefined

/** An entity's page in the world of odd values. */
async function opened(context: TestContext, id: string, width = 1280) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  started ??= fakeWorld(FILE, discovery(), (path, response) => {
    const id = /^\/api\/entities\/f%3Athing\/(\w+)$/.exec(path)?.[1]
    const attributes = id && ATTRIBUTES[id]
    return Boolean(attributes) && say(response, 200, { type: 'f:thing', id, title: `The ${id}`, attributes })
  })
  const [files, { origin }] = [await explorerFiles(), await started]
  const watched = await openPage(browser, { viewport: { width, height: 800 } })
  await watched.page.goto(`${files}${inWorld(origin, `e/f%3Athing/${id}`)}`)
  await watched.page.getByRole('heading', { level: 1, name: `The ${id}` }).waitFor()
  return watched
}

test('explorer: lists within a list keep apart, and what is no day or no quantity is shown as it is', async (t) => {
  const { page } = (await opened(t, 'corners')) ?? {}
  if (page === undefined) return
  const items = await page.locator('.attributes li li').all()
  const tops = await Promise.all(items.map(async (item) => (await item.boundingBox())?.y))
  const [a, b, c, d] = tops
  assert.ok(a === b && c === d && Number(b) < Number(c), `${[a, b, c, d]}`)
  for (const text of ['2024-02-30', '9780439023480', '1,234'])
    await page.getByText(text, { exact: true }).first().waitFor()
})

test('explorer: a GeoJSON point among the attributes is shown on a map', async (t) => {
  const { page } = (await opened(t, 'point')) ?? {}
  if (page === undefined) return
  await page.getByRole('img', { name: 'Map of the Earth with a point at 52.5° N, 13.4° E' }).waitFor()
  assert.deepEqual(await violations(page), [])
})

test('explorer: one of four ways to read is chosen by keys, and stays chosen', async (t) => {
  const { page } = (await opened(t, 'point')) ?? {}
  if (page === undefined) return
  await page.getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('await fetch(').waitFor()
  await page.evaluate(`location.hash = location.hash.replace('point', 'corners')`)
  await page.getByRole('heading', { level: 1, name: 'The corners' }).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'fetch' }).isChecked(), true)
})
