import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { folderOf } from '../packages/cli/src/serving.fixture.ts'
import {
  explorerFiles,
  inWorld,
  keepScreenshot,
  openBrowser,
  openPage,
  untilImagesShow,
  violations,
} from './browser.ts'
import { serveIn } from './command.ts'

const TOWNS = [
  ['berlin', 52.52, 13.405],
  ['oslo', 59.91, 10.75],
  ['tiksi', 71.64, 128.87],
  ['quito', -0.18, -78.47],
  ['borneo-camp', 89.5, 100],
] as const
const FILES = {
  'world.yaml': `id: urn:example:towns
name: Towns
types: [{ type: x:town, title: Towns }]
sources: [towns.ndjson]
tiles:
  url: https://tiles.example/{z}/{x}/{y}.png?key=k
  attribution: © Tile <makers>
`,
  'towns.ndjson': TOWNS.map(
    ([id, latitude, longitude]) =>
      `${JSON.stringify({ type: 'x:town', id, title: id, attributes: { latitude, longitude } })}\n`,
  ).join(''),
}

/** Opens a page for which a server of tiles answers, except for those of row 5; `asked` are its requests. */
async function tiledPage(browser: Browser, options = {}) {
  const watched = await openPage(browser, options)
  const asked: { path: string; referrer: string | undefined }[] = []
  await watched.page.route('https://tiles.example/**', (route) => {
    const { pathname } = new URL(route.request().url())
    asked.push({ path: pathname, referrer: route.request().headers()['referer'] })
    const [, z = '', x = '', y = ''] = pathname.split(/[/.]/)
    if (y === '5') return route.abort()
    const shade = (Number(x) + Number(y)) % 2 === 0 ? '#d8e6c9' : '#c9dbe6'
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="${shade}"/><text x="90" y="130">${z}/${x}/${y}</text></svg>`
    return route.fulfill({ contentType: 'image/svg+xml', body })
  })
  return { ...watched, asked }
}

async function servedTowns(t: TestContext) {
  const cwd = await folderOf(t, FILES)
  return (await serveIn(cwd, t, '--workers', '1')).origin
}

/** Returns the tile below the mark of a town, as level, column and row with the mark's place within. */
async function tileBelow(page: Page, town: string): Promise<number[]> {
  const mark = await page.locator(`.pin[title="${town}"]`).boundingBox()
  assert.ok(mark)
  const [middle, row] = [mark.x + mark.width / 2, mark.y + mark.height / 2]
  for (const tile of await page.locator('.tile').all()) {
    const box = await tile.boundingBox()
    const across = box ? (middle - box.x) / box.width : -1
    const down = box ? (row - box.y) / box.height : -1
    if (across < 0 || across >= 1 || down < 0 || down >= 1) continue
    const [, z, x, y] = new URL((await tile.getAttribute('src')) ?? '').pathname.split(/[/.]/).map(Number)
    return [z ?? -1, (x ?? -1) + across, (y ?? -1) + down]
  }
  return []
}

/** Returns the place of a location on a level of tiles, in tiles from the west and the north, by the formula of slippy maps. */
function onLevel(z: number, latitude: number, longitude: number): [number, number] {
  const angle = (latitude * Math.PI) / 180
  const down = (1 - Math.log(Math.tan(angle) + 1 / Math.cos(angle)) / Math.PI) / 2
  return [((longitude + 180) / 360) * 2 ** z, down * 2 ** z]
}

test('explorer: towns lie on the tiles of their ground at every zoom', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await servedTowns(t)
  const { page, wrongs, requests, asked } = await tiledPage(browser)
  const levels = new Set<number>()
  for (const [zoom, town, latitude, longitude] of [
    [0, ...TOWNS[2]],
    [6, ...TOWNS[0]],
    [300, ...TOWNS[0]],
    [20_000, ...TOWNS[0]],
  ] as const) {
    await page.goto('about:blank')
    await page.goto(`${origin}/${inWorld(origin, `t/x%3Atown?view=map&y=13.4%2C52.52%2C${zoom}`)}`)
    await page.locator(`.pin[title="${town}"]`).waitFor()
    await page.getByText('© Tile <makers>').waitFor()
    const [z = -1, x = -1, y = -1] = await tileBelow(page, town)
    const [column, row] = onLevel(z, latitude, longitude)
    // Marks and tiles are drawn at whole pixels, so each may be half a pixel from its place.
    assert.ok(
      Math.abs(x - column) < 1.5 / 181 && Math.abs(y - row) < 1.5 / 181,
      `${zoom}: ${[z, x, y, column, row]}`,
    )
    levels.add(z)
  }
  assert.deepEqual(levels.size, 4)
  await page.getByText('Places beyond 85.05° north or south are not on this map.').waitFor()
  assert.equal(await page.locator('.pin[title="borneo-camp"]').count(), 0)
  assert.deepEqual(await violations(page), [])
  assert.ok(asked.length > 8 && asked.length < 150, String(asked.length))
  assert.deepEqual([...new Set(asked.map(({ referrer }) => referrer))], [undefined])
  const hosts = new Set(requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).host))
  assert.deepEqual([...hosts].sort(), [new URL(origin).host, 'tiles.example'])
  assert.deepEqual(wrongs, [])
})

test('explorer: where a tile fails the drawn land is visible, and zooming asks for finer tiles', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await servedTowns(t)
  for (const [name, options] of [
    ['tiles-light', {}],
    ['tiles-rtl-dark', { locale: 'ar', colorScheme: 'dark', forcedColors: 'active' }],
  ] as const) {
    const { page, wrongs } = await tiledPage(browser, options)
    await page.goto(`${origin}/${inWorld(origin, 't/x%3Atown?view=map&y=13.4%2C52.52%2C4')}`)
    await page.locator('.tile').first().waitFor()
    const failed = page.locator('.tile[src*="/5.png"]')
    await failed.first().waitFor({ state: 'attached' })
    const shown = await page.locator('.tile:not([src*="/5.png"])').count()
    await untilImagesShow(page, '.tile', shown)
    await keepScreenshot(page, name)
    const drawn = await page.locator('.map-box').screenshot()
    await page.evaluate(`for (const one of document.querySelectorAll('.tile[src*="/5.png"]')) one.remove()`)
    assert.ok(drawn.equals(await page.locator('.map-box').screenshot()), 'a failed tile is drawn')
    assert.deepEqual([shown > 3, await page.locator('.map .land.earth').count()], [true, 2])
    const [level] = await tileBelow(page, 'oslo')
    const isFiner = (url: string) => url.startsWith(`https://tiles.example/${(level ?? 0) + 1}/`)
    await Promise.all([
      page.waitForRequest((request) => isFiner(request.url())),
      page.locator('.map-tools button').first().click(),
    ])
    assert.deepEqual(wrongs, [])
  }
})

test('explorer: the tiles of other worlds are fetched once the reader allows their host', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await servedTowns(t)
  const { page, asked, wrongs } = await tiledPage(browser)
  await page.goto(`${await explorerFiles()}${inWorld(origin, 't/x%3Atown?view=map')}`)
  const allow = page.getByRole('button', { name: 'Show the map tiles from tiles.example' })
  await allow.waitFor()
  await page.locator('.pin[title="borneo-camp"]').waitFor()
  assert.deepEqual([asked.length, await page.locator('.tile').count()], [0, 0])
  await allow.click()
  await page.locator('.tile').first().waitFor()
  await page.getByText('© Tile <makers>').waitFor()
  assert.equal(await allow.count(), 0)
  assert.deepEqual(wrongs, [])
})
