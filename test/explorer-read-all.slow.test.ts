/** Reads all entities of a type of a world that answers no queries, and filters them in the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  explorerFiles,
  inWorld,
  keepScreenshot,
  openBrowser,
  openPage,
  untilQuiet,
  violations,
} from './browser.ts'
import { type FakeRoute, fakeWorld, say } from './fake-world.ts'

const RIVERS = Array.from({ length: 250 }, (_, at) => ({
  slug: `r${at}`,
  label: `River ${at}`,
  lengthKm: (at * 37) % 251,
  country: at % 5 === 0 ? 'Peru' : 'Chile',
  mapped: `19${10 + (at % 90)}-05-01`,
}))

const LAKES = RIVERS.slice(0, 40).map(({ slug: id, label: title, ...attributes }) => ({
  ...{ type: 'f:lake', id, title },
  attributes,
}))

/** Returns the lists of a world with names of its own. The list of lakes ends short. The second page of seas waits for `held`. */
function lists(held: Promise<void>): FakeRoute {
  return (path, response, request) => {
    if (path === '/.well-known/world.json')
      return say(response, 200, {
        protocol: 'world/0.1',
        endpoints: { api: `http://${request.headers.host}/api` },
        title: 'Waters',
        kinds: ['f:river', 'f:lake', 'f:sea', 'f:drop'],
      })
    const [, type, id] = /^\/api\/entities\/f(?::|%3A)(\w+)(?:\/r(\d+))?$/i.exec(path) ?? []
    if (type === undefined) return false
    if (id !== undefined) return say(response, 200, RIVERS[Number(id)])
    const query = new URL(request.url ?? '', 'http://a').searchParams
    const from = Number(query.get('cursor') ?? 0)
    // The total of the first page is wrong.
    if (type === 'lake' && from === 0)
      return say(response, 200, { entities: LAKES.slice(0, 20), total: 50, nextCursor: '20' })
    if (type === 'lake') return say(response, 200, { entities: LAKES.slice(20), total: 40 })
    const rows = RIVERS.slice(from, from + Math.min(100, Number(query.get('limit') ?? 100)))
    const next = from + rows.length < RIVERS.length ? String(from + rows.length) : null
    const body = { rows, next, count: type === 'drop' ? 1_000_000 : RIVERS.length }
    void (type === 'sea' && from > 0 ? held : Promise.resolve()).then(() => say(response, 200, body))
    return true
  }
}

const AT = /^Filters apply to the 250 entities read on .+ at .+\.$/

test('explorer: a type of a world that answers no queries is filtered after all its entities are read', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, asked } = await fakeWorld(t, lists(Promise.resolve()))
  const { page, wrongs } = await openPage(browser, { viewport: { width: 1280, height: 860 } })
  await page.goto((await explorerFiles()) + inWorld(origin, 't/f%3Ariver?view=table'))
  const offer = page.getByRole('button', { name: 'Read all 250 entities to filter them here' })
  await offer.waitFor()
  await untilQuiet(page)
  const before = asked.length
  await keepScreenshot(page, 'read-all-offer')
  assert.deepEqual(await violations(page), [])
  assert.equal(await page.getByText('Filters', { exact: true }).count(), 0)

  await offer.click()
  await page.getByText(AT).waitFor()
  // Three pages of the list, and no query.
  assert.equal(asked.length, before + 3)
  assert.ok(!asked.some((path) => path.includes('query')))
  const total = (text: string) => page.locator('h1 .count', { hasText: new RegExp(`^${text}$`) }).waitFor()
  await page.getByRole('checkbox', { name: /^Peru 50/ }).check()
  await total('50')
  await keepScreenshot(page, 'read-all-filtered')
  assert.deepEqual(await violations(page), [])
  const sort = page.getByRole('columnheader', { name: 'Length' }).getByRole('button')
  await sort.click()
  await sort.click()
  const longest = RIVERS.filter(({ country }) => country === 'Peru').sort(
    (a, b) => b.lengthKm - a.lengthKm,
  )[0]
  await page
    .locator('tbody tr:not(.spacer)')
    .first()
    .getByRole('link', { name: longest?.label ?? '' })
    .waitFor()
  await page.getByRole('link', { name: 'Summary' }).click()
  await page.getByRole('table').getByText('Peru').waitFor()
  assert.equal(asked.length, before + 3)

  // An entity is read from the world. The way back needs no further read.
  await page.goBack()
  await page
    .locator('tbody')
    .getByRole('link', { name: longest?.label ?? '' })
    .click()
  await page.getByRole('heading', { name: longest?.label ?? '' }).waitFor()
  await page.goBack()
  await total('50')
  assert.equal(await page.getByText(AT).count(), 1)

  // A new page has read nothing, so the filters in its address wait.
  await page.reload()
  await page.getByText('The filters of this address apply once all entities are read.').waitFor()
  await total('250')
  await offer.click()
  await total('50')
  assert.deepEqual(wrongs, [])
})

test('explorer: a list that ends short, is too long or is cancelled is not filtered', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const held = Promise.withResolvers<void>()
  const { origin, asked } = await fakeWorld(t, lists(held.promise))
  const { page, wrongs } = await openPage(browser, { viewport: { width: 1280, height: 860 } })
  const open = async (type: string) => page.goto((await explorerFiles()) + inWorld(origin, `t/f%3A${type}`))
  await open('lake')
  await page.getByRole('button', { name: 'Read all 50 entities to filter them here' }).click()
  await page
    .getByText(
      /^These entities cannot be filtered here: The list of f:lake ended after 40 of 50 .+ under “About this world”\.$/,
    )
    .waitFor()
  await keepScreenshot(page, 'read-all-short')
  await page.getByRole('button', { name: 'Read all 50 entities to filter them here' }).waitFor()

  await open('drop')
  const said =
    'These entities cannot be filtered here: there are more than 200,000, the most that this page keeps in memory.'
  await page.getByText(said).waitFor()
  assert.equal(await page.getByRole('button', { name: /^Read all/ }).count(), 0)

  await open('sea')
  await page.getByRole('button', { name: 'Read all 250 entities to filter them here' }).click()
  await page.getByText('100 of 250 rows read').waitFor()
  await keepScreenshot(page, 'read-all-progress')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Read all 250 entities to filter them here' }).waitFor()
  const before = asked.length
  held.resolve()
  await untilQuiet(page)
  assert.equal(asked.length, before)
  assert.equal(await page.getByText(AT).count(), 0)
  assert.deepEqual(wrongs, [])
})
