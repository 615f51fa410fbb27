/** Renders unusual values. The explorer runs on a plain file server and shows a fake world of odd entities. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { explorerFiles, FILE, inWorld, openBrowser, openPage, untilReads, violations } from './browser.ts'
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
  picture: { photo: 'PICTURES/wide.svg' },
  other: { photo: 'PICTURES/wide.svg' },
  hebrew: { note: 'שלום עולם' },
  point: { location: { type: 'Point', coordinates: [13.4, 52.5] } },
}

const SUMMARY = 'טקסט ארוך על העולם'

let started: Promise<FakeWorld> | undefined

/** Starts the world of odd values and a second server for its pictures. */
async function startWorld(): Promise<FakeWorld> {
  const pictures = await fakeWorld(FILE, (path, response) => {
    if (path !== '/wide.svg') return false
    response.setHeader('content-type', 'image/svg+xml')
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="40"/>')
    return true
  })
  const types = Array.from({ length: 60 }, (_, index) => ({ type: `f:t${index}`, title: `Type ${index}` }))
  return fakeWorld(FILE, discovery({ entityTypes: types }), (path, response) => {
    if (path === '/api/entities/f%3Athing/waiting') return true
    const entity = (id: string) => ({
      type: 'f:thing',
      id,
      title: `The ${id}`,
      ...(id === 'hebrew' && { summary: SUMMARY }),
      attributes: ATTRIBUTES[id] ?? {},
    })
    const id = /^\/api\/entities\/f%3Athing\/(\w+)$/.exec(path)?.[1]
    const body = path.startsWith('/api/actions/')
      ? { output: { entities: [entity('point')], total: 1, counts: { 'f:t7': 1 } } }
      : id === undefined
        ? { entities: [entity('point')], total: 1, limit: 4 }
        : entity(id)
    return say(response, 200, JSON.parse(JSON.stringify(body).replaceAll('PICTURES', pictures.origin)))
  })
}

/** Opens a page of the world of odd values. */
async function opened(context: TestContext, rest: string, options: BrowserContextOptions = {}) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  started ??= startWorld()
  const [files, { origin }] = [await explorerFiles(), await started]
  const watched = await openPage(browser, options)
  await watched.page.goto(`${files}${inWorld(origin, rest)}`)
  return watched
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Opens the page of an entity in the world of odd values. */
async function entity(context: TestContext, id: string, options?: BrowserContextOptions) {
  const watched = await opened(context, `e/f%3Athing/${id}`, options)
  if (watched !== undefined) await heading(watched.page, `The ${id}`)
  return watched
}

test('explorer: nested lists stay separate, and invalid dates and quantities are shown verbatim', async (t) => {
  const { page } = (await entity(t, 'corners')) ?? {}
  if (page === undefined) return
  const items = await page.locator('.attributes li li').all()
  const tops = await Promise.all(items.map(async (item) => (await item.boundingBox())?.y))
  const [a, b, c, d] = tops
  assert.ok(a === b && c === d && Number(b) < Number(c), `${[a, b, c, d]}`)
  for (const text of ['2024-02-30', '9780439023480', '1,234'])
    await page.getByText(text, { exact: true }).first().waitFor()
})

test('explorer: a GeoJSON point among the attributes is shown on a map', async (t) => {
  const { page } = (await entity(t, 'point')) ?? {}
  if (page === undefined) return
  const map = page.getByRole('group', { name: /^Map of the Earth with a point at 52.5° N, 13.4° E/ })
  await map.waitFor()
  assert.deepEqual(await violations(page), [])
  const scale = "document.querySelector('.map-box g').transform.baseVal.consolidate().matrix.a"
  const whole = Number(await page.evaluate(scale))
  await map.focus()
  await page.keyboard.press('+')
  await untilReads(page, `${scale} / ${whole}`, 2)
})

test('explorer: one of four reading modes can be selected by keyboard, and the selection persists', async (t) => {
  const { page } = (await entity(t, 'point')) ?? {}
  if (page === undefined) return
  await page.locator('.developers > summary').click()
  await page.getByRole('radio', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByText('await fetch(').waitFor()
  await page.evaluate(`location.hash = location.hash.replace('point', 'corners')`)
  await heading(page, 'The corners')
  await page.locator('.developers > summary').click()
  await page.getByRole('radio', { name: 'fetch', checked: true }).waitFor()
})

const tooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth')

test('explorer: pictures fit a narrow page, and consent to load them is requested once per host', async (t) => {
  const { page, requests } = (await entity(t, 'picture', { viewport: { width: 320, height: 700 } })) ?? {}
  if (page === undefined) return
  assert.ok(!requests?.some((url) => url.endsWith('.svg')))
  await page.getByRole('button', { name: 'Show the pictures from' }).click()
  const picture = page.getByRole('img', { name: 'Picture: Photo' })
  const box = await picture.boundingBox()
  assert.ok(box !== null && box.width <= 320 && box.height >= 60, JSON.stringify(box))
  assert.equal(await tooWide(page), 0)
  await page.evaluate(`location.hash = location.hash.replace('picture', 'other')`)
  await heading(page, 'The other')
  await picture.waitFor()
  await page.reload()
  await picture.waitFor()
})

test('explorer: no page is wider than the screen of a phone, at 320 pixels', async (t) => {
  const { page } = (await opened(t, '', { viewport: { width: 320, height: 700 } })) ?? {}
  if (page === undefined) return
  await page.getByRole('link', { name: 'The point' }).first().waitFor()
  assert.equal(await tooWide(page), 0)
  const ends = (await page.evaluate(
    `[...document.querySelectorAll('.card')].map((card) => card.getBoundingClientRect().right)`,
  )) as number[]
  assert.ok(ends.length === 60 && ends.every((end) => end <= 320), String(ends))
})

test('explorer: a paragraph is aligned according to the direction of its script', async (t) => {
  const { page } = (await entity(t, 'hebrew')) ?? {}
  if (page === undefined) return
  for (const place of ['.lead', 'dd .words']) {
    const [direction, gap] = (await page.evaluate(`(() => {
      const paragraph = document.querySelector('${place}')
      const text = document.createRange()
      text.selectNodeContents(paragraph.querySelector('bdi'))
      const right = Math.max(...[...text.getClientRects()].map((rect) => rect.right))
      const { direction } = getComputedStyle(paragraph.querySelector('bdi'))
      return [direction, paragraph.getBoundingClientRect().right - right]
    })()`)) as [string, number]
    assert.equal(direction, 'rtl', place)
    assert.ok(Math.abs(gap) < 2, `${place} ends ${gap} pixels from the right`)
  }
})

test('explorer: a page is printed as dark text on white in every colour scheme', async (t) => {
  const { page } = (await entity(t, 'hebrew', { colorScheme: 'dark' })) ?? {}
  if (page === undefined) return
  await page.evaluate(`document.documentElement.dataset.scheme = 'dark'`)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light only')
  const lightness = await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)
  assert.match(String(lightness), /^lab\(1\d\./)
})

test('explorer: a page already shows its heading while it loads', async (t) => {
  const { page } = (await opened(t, 'e/f%3Athing/waiting')) ?? {}
  if (page === undefined) return
  await heading(page, 'waiting')
  assert.deepEqual(await violations(page), [])
})

test('explorer: three key presses lead past sixty type filters to the first result', async (t) => {
  const { page } = (await opened(t, 'search?text=point')) ?? {}
  if (page === undefined) return
  await page.getByText('One result for “point”').waitFor()
  await page.evaluate('document.activeElement.blur()')
  for (const key of ['Tab', 'Enter', 'Tab']) await page.keyboard.press(key)
  await untilReads(page, 'document.activeElement.textContent', 'The point')
  assert.equal(await page.locator('.filter label').count(), 12)
  assert.equal(await page.getByRole('checkbox', { name: 'Type 7' }).count(), 1)
  await page.getByRole('button', { name: 'All 60 types' }).click()
  assert.equal(await page.locator('.filter label').count(), 60)
  assert.deepEqual(await violations(page), [])
})
