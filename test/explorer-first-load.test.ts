import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import {
  demoWorld,
  explorerFiles,
  inWorld,
  openBrowser,
  openDemoPage,
  openPage,
  untilImagesShow,
  untilReads,
  violations,
} from './browser.ts'

/**
 * Maximum number of requests, and of bytes as sent, of a first visit to the home page, without the world's pictures. The aim
 * is 120 kB, which a quiet machine keeps. On a busy one, cards that are still empty are short, so that one more is seen and
 * asks for its pictures: 137 kB.
 */
const MOST_REQUESTS = 15
const MOST_BYTES = 150_000
/** Maximum sum of layout shifts, of which 0.1 is the limit of a good page. */
const MOST_SHIFT = 0.05
/** Profile of a slow mobile network: round trip in milliseconds, and bytes per second. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Records the layout shifts of a page that the user did not cause. */
const WATCH = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const moved = sources.map(({ node }) => (node?.tagName ?? node?.nodeName) + '.' + (node?.className ?? ''))
      if (!hadRecentInput) globalThis.shifts.push({ value, moved })
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

/** Opens a page of the demo world with an empty cache, and waits until `ready` is visible and no request is running. */
async function firstVisit(
  t: Parameters<typeof openBrowser>[0],
  rest: string,
  ready: string,
  options: BrowserContextOptions,
  isSlow: boolean,
) {
  const browser = await openBrowser(t)
  if (browser === undefined) return undefined
  const origin = await demoWorld()
  const { page } = await openPage(browser, options)
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  if (isSlow) {
    await line.send('Network.emulateNetworkConditions', SLOW)
    await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  }
  const sizes: { url: string; size: number }[] = []
  const urls: string[] = []
  const running = new Map<string, string>()
  line.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/attachments/')) return
    urls.push(request.url)
    running.set(requestId, request.url)
  })
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = running.get(requestId)
    if (running.delete(requestId) && url !== undefined) sizes.push({ url, size: encodedDataLength })
  })
  await page.addInitScript(WATCH)
  await page.goto(rest === '' ? origin : `${origin}/${inWorld(origin, rest)}`)
  await page.locator(ready).nth(5).waitFor()
  // A list waits for news as long as it is open.
  const end = Date.now() + 5_000
  for (let quiet = 0; quiet < 10 && Date.now() < end; quiet++) {
    await page.waitForTimeout(100)
    if (running.size > 0) quiet = 0
  }
  const shifts = (await page.evaluate('globalThis.shifts')) as { value: number; moved: string[] }[]
  return { sizes, urls, shifts, shift: shifts.reduce((sum, { value }) => sum + value, 0) }
}

test('explorer: a first visit to the home page sends at most 150 kB in 15 requests', async (t) => {
  const visit = await firstVisit(t, '', '.card figure', DESKTOP, false)
  if (visit === undefined) return
  assert.ok(visit.urls.length <= MOST_REQUESTS, visit.urls.join('\n'))
  const bytes = visit.sizes.reduce((sum, { size }) => sum + size, 0)
  assert.ok(bytes <= MOST_BYTES, JSON.stringify(visit.sizes, null, 1))
})

for (const [name, rest, ready, options] of [
  ['home page on a phone', '', '.card .chip', PHONE],
  ['home page on a desktop', '', '.card figure', DESKTOP],
  ['list on a desktop', 't/sol%3Amoon', '.values li', DESKTOP],
  ['list on a phone', 't/sol%3Amoon', '.plain-list li', PHONE],
] as const) {
  test(`explorer: hardly anything moves while the ${name} loads slowly`, async (t) => {
    const visit = await firstVisit(t, rest, ready, options, true)
    if (visit === undefined) return
    assert.ok(visit.shift < MOST_SHIFT, JSON.stringify(visit.shifts, null, 1))
  })
}

test('explorer: the bar at the top shows before the scripts arrive, and does not move then', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser)
  const scripts = Promise.withResolvers<void>()
  await page.route(/\.js$/, async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(`${await explorerFiles()}#/open`, { waitUntil: 'commit' })
  const name = page.getByText('Worldwright', { exact: true })
  await name.waitFor()
  await untilReads(page, "getComputedStyle(document.querySelector('.top-bar')).position", 'sticky')
  const before = await name.boundingBox()
  scripts.resolve()
  await page.getByRole('heading', { name: 'Look at any world' }).waitFor()
  assert.deepEqual(await name.boundingBox(), before)
})

test('explorer: the home page shows charts and the most referenced entities of each type', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, '')) ?? {}
  if (page === undefined) return
  const card = (title: string) =>
    page.locator('.card', { has: page.locator('h3 a', { hasText: new RegExp(`^${title}$`) }) })
  await card('Comet')
    .getByRole('img', { name: /^Discovery year: how many there are from 1680 to 20/ })
    .waitFor()
  // A card is filled once it can be seen.
  await card('Moon').scrollIntoViewIfNeeded()
  await untilImagesShow(page, '.card:has(h3 a[href$="sol%3Amoon"]) figure img', 6)
  await card('Observatory').scrollIntoViewIfNeeded()
  await card('Observatory').getByRole('img', { name: 'Map with 44 of them' }).waitFor()
  await card('Space mission').getByText('orbiter').waitFor()
  // If they were ordered by id, the first moon would be Actaea, which few users look for.
  await card('Moon').locator('.chip').first().getByText('Moon', { exact: true }).waitFor()
  assert.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Surprise me' }).click()
  await page.waitForURL(/\/e\//)
  assert.deepEqual(wrongs, [])
})
