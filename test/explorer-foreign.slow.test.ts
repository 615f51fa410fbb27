/** Explores worlds with non-standard member names, such as those of `examples/worlds`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inWorld, openBrowser, openPage } from './browser.ts'
import { exploring, read } from './exploring.ts'
import { type FakeRoute, fakeWorld, say } from './fake-world.ts'
import { answering, FOREIGN_WORLDS, type ForeignWorld, missing, startForeignWorld } from './foreign-worlds.ts'
import { reasonToSkip } from './missing.ts'

/** Text that must not appear on any page. */
const FALSE = /undefined|\[object Object\]|NaN|This page has a fault|This answer was not recognised/

for (const world of FOREIGN_WORLDS) {
  const lacking = missing(world)
  const skip = reasonToSkip(lacking === undefined, lacking ?? '')
  test(`explorer: the pages of the ${world.name} world show no error`, { skip }, async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const { origin, stop } = await startForeignWorld(world)
    t.after(stop)
    await answering(origin)
    const explorer = await exploring(t, origin)
    const { page, wrongs } = await openPage(browser)
    await tour(page, explorer, origin, world)
    assert.deepEqual(wrongs, [])
  })
}

async function tour(page: Page, explorer: string, origin: string, { types, example }: ForeignWorld) {
  const [type, id, title] = example
  const stop = async (rest: string, ...seen: (string | RegExp)[]) => {
    const text = await read(page, explorer, origin, rest, seen)
    assert.doesNotMatch(text, FALSE, rest)
    return text
  }
  const home = await stop('', `${Object.keys(types).length} types`)
  assert.doesNotMatch(home, /\b0 entities|not recognised/)
  assert.doesNotMatch(await stop('about', type, 'wp:discover'), /World id\s+not recognised/)
  const encoded = encodeURIComponent(type)
  const count = types[type] ?? 0
  await page.goto(`${explorer}/${inWorld(origin, `t/${encoded}?view=list`)}`)
  const more = page.getByRole('button', { name: 'Load more' })
  const all = page.getByText(`All ${count} loaded`)
  for (;;) {
    await more.or(all).first().waitFor()
    if (await all.isVisible()) break
    await more.click()
  }
  await stop(`t/${encoded}?view=table`)
  await stop(`e/${encoded}/${encodeURIComponent(id)}`, title)
  await stop(`search?text=${encodeURIComponent(title)}`, title, /One result/)
}

test('explorer: a world without CORS can be read through `world explore`', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const closed: FakeRoute = (path, response, request) => {
    response.removeHeader('access-control-allow-origin')
    const body =
      path === '/.well-known/world.json'
        ? {
            protocol: 'world/0.1',
            endpoints: { api: `http://${request.headers.host}/api` },
            title: 'Closed',
            kinds: ['f:thing'],
          }
        : { rows: [{ slug: 'one', label: 'The one' }], count: 1 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return true
  }
  const { origin } = await fakeWorld(t, closed)
  const { page, wrongs, requests } = await openPage(browser)
  const explorer = await exploring(t, origin)
  await page.goto(explorer)
  await page.getByRole('heading', { name: 'Closed' }).waitFor()
  await page.getByRole('link', { name: 'The one' }).waitFor()
  assert.deepEqual(
    requests.filter((url) => !url.startsWith(explorer)),
    [],
  )
  assert.deepEqual(wrongs, [])
})

test('explorer: member names entered by hand are used and kept', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const list: FakeRoute = (path, response, request) => {
    if (path === '/.well-known/world.json')
      return say(response, 200, {
        protocol: 'world/0.1',
        endpoints: { api: `http://${request.headers.host}/api` },
        kinds: ['f:thing'],
      })
    if (!path.startsWith('/api/entities/')) return false
    const from = Number(new URL(request.url ?? '', 'http://a').searchParams.get('cursor') ?? 0)
    const page = { a: [{ no: from + 1 }], b: [{ no: 'x' }], weiter: from < 2 ? `${from + 1}` : null }
    return say(response, 200, page)
  }
  const { origin } = await fakeWorld(t, list)
  const { page, wrongs } = await openPage(browser)
  const explorer = await exploring(t, origin)
  await page.goto(`${explorer}/${inWorld(origin, 't/f%3Athing?view=list')}`)
  await page.getByRole('heading', { name: 'This answer was not recognised' }).waitFor()
  await page.goto(`${explorer}/${inWorld(origin, 'about')}`)
  await page.getByLabel('List: the entities').fill('a')
  await page.getByLabel('List: the cursor of the next page').fill('weiter')
  await page.getByLabel('Entity: its id').fill('no')
  await page.getByRole('button', { name: 'Use these names' }).click()
  await page.goto(`${explorer}/${inWorld(origin, 't/f%3Athing?view=list')}`)
  await page.reload()
  const more = page.getByRole('button', { name: 'Load more' })
  await more.click()
  await page.getByText('2 loaded').waitFor()
  await more.click()
  await page.getByText('All 3 loaded').waitFor()
  assert.deepEqual(wrongs, [])
})
