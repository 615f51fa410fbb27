import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  demoWorld,
  inWorld,
  keepScreenshot,
  openBrowser,
  openPage,
  temporaryStore,
  untilQuiet,
  violations,
} from './browser.ts'
import { serve, world } from './command.ts'
import { realData } from './real-data.ts'

const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } }
const SCHEMES = ['light', 'dark'] as const

/** A stop of the tour: its name, its path, and text that must be visible there. */
type Stop = readonly [name: string, rest: string, seen: RegExp]

const SOL: readonly Stop[] = [
  ['home', '', /The Sun, its planets/],
  ['search', 'search?text=ocean&type=sol%3Amoon', /results? for “ocean”/],
  ['nothing', 'search?text=qqqqqqqqqq', /Nothing matches “qqqqqqqqqq”/],
  ['table', 't/sol%3Aplanet?view=table', /69,911/],
  ['list', 't/sol%3Aperson?view=list', /Abd al-Rahman al-Sufi/],
  ['planet', 'e/sol%3Aplanet/jupiter', /1\.898 × 10²⁷/],
  ['place', 'e/sol%3Aobservatory/alma', /23\.023° S, 67\.755° W/],
  ['other-body', 'e/sol%3Afeature/ahuna-mons', /Ceres/],
  ['about', 'about', /world\/0\.1/],
  ['action', 'a/wp%3Adiscover?input=%7B%22text%22%3A%22ice%22%2C%22limit%22%3A3%7D', /Answer/],
  ['missing', 'e/sol%3Aplanet/vulcan', /There is no such entity/],
]

const EXOPLANETS: readonly Stop[] = [
  ['exo-home', '', /13,795 entities/],
  ['exo-search', 'search?text=kepler%2022', /Kepler-22/],
  ['exo-table', 't/oec%3Aplanet?view=table', /5,414/],
]

/**
 * Waits until the page shows text that matches `seen` and has no open requests. On a busy machine, a search may run out of
 * time. The page says so, and is loaded again.
 */
async function arrive(page: Page, seen: RegExp): Promise<void> {
  // Ignore the hidden content for browsers without scripts.
  const found = page.getByText(seen).filter({ visible: true }).first()
  const early = page.getByText(/The search ended early because it took too long/).first()
  for (let left = 10; left > 0; left--) {
    await found.or(early).first().waitFor()
    if (await found.isVisible()) break
    await page.reload()
  }
  await found.waitFor()
  await untilQuiet(page)
}

async function tour(context: TestContext, origin: string, stops: readonly Stop[]): Promise<void> {
  const browser = await openBrowser(context)
  if (browser === undefined) return
  const visit = async (size: keyof typeof SIZES, colorScheme: (typeof SCHEMES)[number]) => {
    const viewport = SIZES[size]
    const { page, wrongs, requests } = await openPage(browser, {
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
    })
    for (const [name, rest, seen] of stops) {
      await page.goto(`${origin}/${inWorld(origin, rest)}`)
      await arrive(page, seen)
      const label = `${name}-${size}-${colorScheme}`
      await keepScreenshot(page, label)
      assert.deepEqual(await violations(page), [], label)
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(wide) <= 0, `${label} is ${wide} pixels too wide`)
    }
    assert.deepEqual(wrongs, [])
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(origin)),
      [],
    )
    await page.context().close()
  }
  const sizes = Object.keys(SIZES) as (keyof typeof SIZES)[]
  await Promise.all(sizes.flatMap((size) => SCHEMES.map((scheme) => visit(size, scheme))))
}

test('explorer: the pages of the demo world are accessible at both sizes and in both colour schemes', async (t) => {
  await tour(t, await demoWorld(), SOL)
})

test('explorer: the pages of a world of 13,795 real entities are accessible', async (t) => {
  const data = realData(t, 'entities/exoplanets.ndjson')
  if (data === undefined) return
  const place = await temporaryStore(t)
  const imported = await world('import', data, '--store', place)
  assert.equal(imported.code, 0, imported.stderr)
  const { origin } = await serve(t, '--store', place, '--workers', '1')
  await tour(t, origin, EXOPLANETS)

  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 't/oec%3Aplanet?view=table')}`)
  await page.getByText('100 of 5,414 loaded').waitFor()
  for (const loaded of ['200', '300']) {
    await page.locator('.scroller').waitFor()
    await page.evaluate('document.querySelector(".scroller").scrollTop = 1e9')
    await page.getByText(`${loaded} of 5,414 loaded`).waitFor()
  }
  const drawn = await page.locator('.scroller tbody tr').count()
  assert.ok(drawn < 80, `${drawn} rows are drawn`)
  await page.waitForURL(/cursor=/)
  await page.reload()
  await page.getByText(/This list begins after \d+ others/).waitFor()
})
