/** Charts of the kinds of data that tend to break charts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explorerFiles, inWorld, openBrowser, openPage, untilQuiet } from './browser.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'

/** Attributes that tend to break charts: extreme numbers and dates, one location for all entities, and no values at all. */
const ODD: Readonly<Record<string, readonly object[]>> = {
  greatest: [
    { a: 1e308, b: -1e308, year: 99_999 },
    { a: -1e308, b: 1e308, year: -5000 },
    { a: 5e-324, b: 0, year: 0 },
  ],
  infinite: [
    { a: Number.POSITIVE_INFINITY, b: 1, year: 1e300 },
    { a: 1, b: 2, year: 2000 },
  ],
  powers: [
    { a: 1e-300, b: 1e300, year: 1 },
    { a: 1e300, b: 1e-300, year: 2 },
    { a: 1, b: 1, year: 3 },
  ],
  one: [{ a: 7, b: 7, year: 7, day: '2024-02-29', lat: 90, lon: 180 }],
  days: ['-005000-01-01', '+099999-12-31', '0000-01-01', '9999-12-31', '2024-02-30', '275760-09-13', 'x'].map(
    (day, index) => ({ day, at: `${day}T00:00:00Z`, a: index, b: 1, year: index }),
  ),
  places: Array.from({ length: 10_000 }, () => ({
    lat: 52.5,
    lon: 13.4,
    a: 1,
    b: 1,
    year: 2000,
    day: '2000-01-01',
  })),
  edges: [
    { lat: 90, lon: 360, a: 1, year: 1 },
    { lat: -90, lon: -360, a: 2, year: 2 },
    { lat: 91, lon: 0, a: 3, year: 3 },
    { lat: 'x', lon: {}, a: [], year: null },
  ],
  empty: [],
}

test('explorer: charts survive extreme and missing values', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin } = await fakeWorld(
    t,
    discovery({ entityTypes: Object.keys(ODD).map((type) => ({ type })) }),
    (path, response) => {
      const rows = ODD[/^\/api\/entities\/([^/]+)$/.exec(path)?.[1] ?? '']
      if (rows === undefined) return false
      const type = path.split('/').at(-1)
      const entities = rows.map((attributes, index) => ({
        type,
        id: `n${index}`,
        title: `N ${index}`,
        attributes,
      }))
      // JSON has no infinity, but a number that is too large is parsed as infinity.
      const body = JSON.stringify({ entities, total: rows.length, limit: rows.length || 1 }).replace(
        '"a":null',
        '"a":1e400',
      )
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
      response.end(body)
      return true
    },
  )
  const files = await explorerFiles()
  const { page, wrongs } = await openPage(browser, { viewport: { width: 320, height: 700 } })
  await page.goto(`${files}${inWorld(origin)}`)
  for (const type of Object.keys(ODD)) {
    for (const view of ['histogram', 'scatter', 'timeline', 'map', 'gallery']) {
      const where = `${type} as ${view}`
      const hash = inWorld(origin, `t/${type}?view=${view}&log=xy&y=1e999%2C%2Cx`)
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.locator('.list-foot, .chart').first().waitFor()
      await untilQuiet(page)
      assert.deepEqual(wrongs, [], where)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, where)
      const charts = await page.locator('.chart').all()
      const drawn = (await Promise.all(charts.map((chart) => chart.innerHTML()))).join('')
      assert.doesNotMatch(drawn, /NaN|Infinity|undefined/, where)
    }
  }
})

test('explorer: charts survive malformed answers', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const facets = [
    {},
    { present: -1, minimum: 'x', maximum: {}, buckets: 'x' },
    {
      present: 1e308,
      minimum: 1e308,
      maximum: -1e308,
      buckets: [{ count: -5 }, { count: 1e308 }, null, { count: 'x' }],
    },
    { present: 3, minimum: 0, maximum: 10, buckets: [{ count: 3 }] },
  ]
  const properties = [
    { property: 'a', kinds: ['number'] },
    { property: 'b', kinds: ['number'] },
    { property: 'seen', kinds: ['instant'] },
    { property: 'attributes', kinds: ['place'] },
  ]
  let round = 0
  const { origin } = await fakeWorld(
    t,
    discovery({
      actions: [{ name: 'wp:discover' }, { name: 'worldwright:query' }],
      extensions: { 'worldwright:query': { types: { 'f:thing': properties } } },
    }),
    (path, response) =>
      path.startsWith('/api/actions/') &&
      say(response, 200, {
        output: {
          entities: [{ type: 'f:thing', id: '1' }, {}, null],
          total: 1,
          facets: [facets[round++ % facets.length]],
        },
      }),
    (path, response) =>
      path.startsWith('/api/entities/') &&
      say(response, 200, { entities: [{ type: 'f:thing', id: '1', title: 'One' }], total: 1, limit: 1 }),
  )
  const files = await explorerFiles()
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${files}${inWorld(origin)}`)
  for (let attempt = 0; attempt < facets.length; attempt++) {
    for (const view of ['histogram', 'scatter', 'timeline', 'map']) {
      const hash = inWorld(origin, `t/f%3Athing?view=${view}&text=t${attempt}${view}`)
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.locator('.chart figcaption, .failure').first().waitFor()
      assert.equal(await page.locator('.failure').count(), 0, `${view} ${attempt}`)
      await untilQuiet(page)
      assert.deepEqual(wrongs, [], `${view} ${attempt}`)
      const drawn = await page.locator('.chart').innerHTML()
      assert.doesNotMatch(drawn, /NaN|Infinity|undefined/, `${view} ${attempt}`)
    }
  }
})
