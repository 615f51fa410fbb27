/** Views at addresses of their own in the explorer, and the menu that shares them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoWorld, inWorld, openBrowser, openPage, violations } from './browser.ts'

test('explorer: a view opened at its address is the list, and addresses stay real within its world', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser)
  let loads = 0
  page.on('load', () => loads++)
  await page.goto(`${origin}/v/sol%3Aplanet?view=table`)
  await page.locator('h1 .count').waitFor()
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await page.waitForURL(`${origin}/v/sol%3Aplanet?view=list`)
  await page.locator('main').getByRole('link', { name: 'Saturn', exact: true }).first().click()
  await page.waitForURL(`${origin}/${inWorld(origin, 'e/sol%3Aplanet/saturn')}`)
  await page.getByRole('heading', { level: 1, name: 'Saturn' }).waitFor()
  await page.goBack()
  await page.waitForURL(`${origin}/v/sol%3Aplanet?view=list`)
  await page.locator('h1 .count').waitFor()
  assert.equal(loads, 1)
  await page.reload()
  await page.locator('h1 .count').waitFor()
  assert.equal(page.url(), `${origin}/v/sol%3Aplanet?view=list`)
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet?view=table')}`)
  await page.locator('h1 .count').waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: Share copies the link, the rows, the chart and code of a list', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  const share = page.locator('summary', { hasText: /^Share$/ })
  const copied = async (name: string) => {
    await page.locator('.menu[open] li', { hasText: name }).getByRole('button').click()
    await page.locator('.menu[open] li', { hasText: name }).getByText('Copied').waitFor()
    return String(await page.evaluate('navigator.clipboard.readText()'))
  }
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet?view=scatter&x=semiMajorAxisAu&y=radiusKm')}`)
  await page.locator('#results svg[role=img]').waitFor()
  await share.click()
  assert.equal(await copied('Link'), `${origin}/v/sol%3Aplanet?view=scatter&x=semiMajorAxisAu&y=radiusKm`)
  assert.match(await copied('TSV'), /^Title\t.*\nEarth\t.*\nMars\t.*\t-65\n/s)
  assert.match(await copied('Markdown'), /^\| Title \|.*\n\| --- \|/)
  assert.match(await copied('curl'), /^curl .*worldwright%3Aquery/s)
  assert.match(await copied('Python'), /urllib\.request/)
  assert.match(await copied('DuckDB'), /^SELECT \* FROM read_csv\('.*result\.csv/)
  const svg = await copied('SVG')
  assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
  assert.match(svg, /<path [^>]*stroke-linecap="round"/)
  assert.doesNotMatch(svg, /var\(--|class=/)
  await page.locator('.menu[open] li', { hasText: 'PNG' }).getByRole('button').click()
  await page.locator('.menu[open] li', { hasText: 'PNG' }).getByText('Copied').waitFor()
  const png = await page.evaluate(`(async () => {
    const [item] = await navigator.clipboard.read()
    const picture = await createImageBitmap(await item.getType('image/png'))
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    const colours = new Set(new Uint32Array(canvas.getImageData(0, 0, picture.width, picture.height).data.buffer))
    return { isLarge: picture.width > 300, isDrawn: colours.size > 20 }
  })()`)
  assert.deepEqual(png, { isLarge: true, isDrawn: true })
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(wrongs, [])
})
