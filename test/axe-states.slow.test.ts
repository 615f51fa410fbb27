/** States of the explorer and of the pages without scripts that no other test checks: forced colours, and Arabic in the dark. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { demoWorld, FILE, inWorld, openBrowser, openPage, violations } from './browser.ts'
import { serve, world } from './command.ts'

const LOOKS = {
  'forced colours': { forcedColors: 'active' },
  'Arabic, dark, 320 px': { locale: 'ar', colorScheme: 'dark', viewport: { width: 320, height: 700 } },
} as const
type Look = keyof typeof LOOKS

/** Names of the states that were checked. */
const states = new Set<string>()
/** Findings in all states, so that one run shows them all. */
const findings: string[] = []

async function check(page: Page, look: Look, name: string): Promise<void> {
  const state = `${name} (${look})`
  assert.ok(!states.has(state), state)
  states.add(state)
  for (const found of await violations(page)) findings.push(`${state}: ${found}`)
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  if (wide > 0) findings.push(`${state}: ${wide} pixels too wide`)
}

/** A state: its name, its path within the world, the element that shows it is ready, and the steps to it. */
type Stop = readonly [name: string, rest: string, ready: string, act?: (page: Page) => Promise<unknown>]

const press = (selector: string) => (page: Page) => page.locator(selector).first().click()
const key = (name: string) => (page: Page) => page.keyboard.press(name)

const STOPS: readonly Stop[] = [
  ['home', '', '.card .chip'],
  ['table', 't/sol%3Aplanet?view=table', '.scroller tr, .scroller li'],
  ['list', 't/sol%3Aperson?view=list', '.plain-list li'],
  ['gallery', 't/sol%3Aplanet?view=gallery', '.gallery img'],
  ['summary', 't/sol%3Amoon?view=summary&by=orbits&of=avg%3AradiusKm', '.summary .drawn'],
  ['map', 't/sol%3Aobservatory?view=map', '.cluster'],
  ['timeline', 't/sol%3Amission?view=timeline', '.bin .room'],
  ['histogram', 't/sol%3Amoon?view=histogram&x=discoveryYear', '.chart .bar'],
  [
    'histogram as a table',
    't/sol%3Amoon?view=histogram&x=radiusKm',
    '.chart-table tbody',
    press('.chart-table summary'),
  ],
  ['scatter plot', 't/sol%3Amoon?view=scatter&x=radiusKm&y=massEarths', '.dots'],
  [
    'filters',
    't/sol%3Amoon?view=list&is.orbits=sol%3Aplanet%2Fsaturn',
    '.ask-panel[open] .values li',
    openFilters,
  ],
  ['nearest', 't/sol%3Aobservatory?view=table&near.attributes=48.86%2C2.35', '.scroller tr, .scroller li'],
  ['nothing in a list', 't/sol%3Amoon?in.radiusKm=99999..', '.list-foot'],
  ['share', 't/sol%3Aplanet?view=table', '.share li', press('.menu:has(.share) summary')],
  ['search', 'search?text=ocean&type=sol%3Amoon', '.hit'],
  ['nothing found', 'search?text=qqqqqqqqqq', '.nothing'],
  ['suggestions', 'about', '[role=option]', (page) => page.locator('#search').fill('gan')],
  ['planet', 'e/sol%3Aplanet/jupiter', '.neighbours a'],
  ['place', 'e/sol%3Aobservatory/alma', '.attributes svg, .map-box'],
  ['graph', 'e/sol%3Amoon/titan', '.reference-graph .nodes li', press('details.raw:has(h2) summary')],
  ['missing', 'e/sol%3Aplanet/vulcan', '.failure'],
  ['about', 'about', '.action-row'],
  ['action', 'a/wp%3Adiscover?input=%7B%22text%22%3A%22ice%22%2C%22limit%22%3A3%7D', '[aria-live] .chip'],
  ['compare', 'compare/sol%3Aplanet/earth/sol%3Aplanet/mars', '.comparison td'],
  ['tray', 'e/sol%3Amoon/io', '.tray .chip', press('.compare')],
  ['commands', 'about', 'dialog[open] [role=option]', key('Control+k')],
  ['settings', 'about', 'dialog[open] .settings', key('?')],
  ['lost', 'no/such/page/at/all', '.page.narrow h1'],
]

async function openFilters(page: Page): Promise<void> {
  const panel = page.locator('.ask-panel')
  await panel.waitFor()
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').first().click()
}

async function explore(browser: Browser, look: Look): Promise<void> {
  const origin = await demoWorld()
  const { page, wrongs } = await openPage(browser, { reducedMotion: 'reduce', ...LOOKS[look] })
  for (const [name, rest, ready, act] of STOPS) {
    // Leave the state before, so that nothing of it is taken for this one.
    await page.goto(`${origin}/#/lost`)
    await page.locator('.page.narrow h1').waitFor()
    await page.goto(`${origin}/${inWorld(origin, rest)}`)
    await page.locator('main h1').first().waitFor({ state: 'attached' })
    await act?.(page)
    await page.locator(ready).filter({ visible: true }).first().waitFor()
    await check(page, look, name)
    await page.keyboard.press('Escape')
  }
  await page.goto(`${origin}/#/open`)
  await page.locator('main form').first().waitFor()
  await check(page, look, 'open a world')
  await page.context().setOffline(true)
  await page.evaluate(`location.hash = ${JSON.stringify(inWorld(origin, 'e/sol%3Aplanet/saturn'))}`)
  await page.locator('.failure').waitFor()
  await check(page, look, 'offline')
  assert.deepEqual(wrongs, [])
}

/** Reads pages as a browser without scripts shows them. Axe needs scripts, so those of the page do not load. */
async function readPlain(browser: Browser, look: Look): Promise<void> {
  const origin = await demoWorld()
  const { page } = await openPage(browser, { bypassCSP: true, ...LOOKS[look] })
  await page.route(/\.js$/, (route) => route.abort())
  await page.route(/\/(?:v\/[^/]*)?$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(/<.?noscript>/g, '') })
  })
  for (const path of [
    '',
    't/sol%3Aplanet',
    'e/sol%3Aplanet/mars',
    'v/sol%3Amoon?in.radiusKm=500..&sort=-radiusKm',
    'v/sol%3Amission?view=summary&by=kind',
    's/finding-the-moons',
  ]) {
    await page.goto(`${origin}/${path}`)
    await check(page, look, `/${path} without scripts`)
  }
}

const DEFINITION = `name: Shared
operator: true
private: true
types:
  - type: sol:moon
    title: Moon
    schema:
      type: object
      required: [radiusKm]
      properties:
        radiusKm: { type: number, exclusiveMinimum: 0 }
        icy: { type: boolean }
        kind: { enum: [regular, irregular] }
        found: { type: string, format: date }
sources: [moons.ndjson]
`

/** Serves a private world that can be written. Returns its origin and a token that may read and write. */
async function privateWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  const moons = ['io', 'europa'].map((id) => ({
    type: 'sol:moon',
    id,
    title: id,
    attributes: { radiusKm: 1 },
  }))
  await writeFile(join(folder, 'moons.ndjson'), moons.map((moon) => `${JSON.stringify(moon)}\n`).join(''))
  const { stdout } = await world('token', 'create', folder, '--scope', 'read', '--scope', 'write:sol:moon')
  return { origin: (await serve(FILE, folder, '--workers', '1')).origin, token: stdout.trim() }
}

/** Enters the private world and goes through the states of the editor for the moon `id`. */
async function edit(
  browser: Browser,
  look: Look,
  id: string,
  { origin, token }: Awaited<ReturnType<typeof privateWorld>>,
) {
  const { page, wrongs } = await openPage(browser, LOOKS[look])
  const tool = page.locator('.edit-tools > .row > button')
  const radius = page.getByLabel(/^Radius/)
  const save = page.locator('.editor [type=submit]')
  await page.goto(`${origin}/${inWorld(origin, `e/sol%3Amoon/${id}`)}`)
  await page.locator('input[type=password]').waitFor()
  await check(page, look, 'token')
  await page.locator('input[type=password]').fill(token)
  await page.keyboard.press('Enter')
  await tool.first().waitFor()
  await check(page, look, 'entity with tools')
  await tool.first().click()
  await radius.waitFor()
  await check(page, look, 'editor')
  await radius.fill('-1')
  await save.click()
  await page.locator('.editor .wrong').waitFor()
  await check(page, look, 'editor with a fault')
  const written = await fetch(`${origin}/api/operator/v0/entities/sol%3Amoon/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: id, attributes: { radiusKm: 2 } }),
  })
  assert.equal(written.status, 200)
  await radius.fill('3')
  await save.click()
  await page.locator('.editor .sides').waitFor()
  await check(page, look, 'conflict')
  await page.locator('.sides input').first().check()
  await save.click()
  await page.locator('.edit-tools [role=status]').waitFor()
  await check(page, look, 'saved')
  await tool.nth(1).click()
  await page.locator('dialog[open]').waitFor()
  await check(page, look, 'deletion')
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon')}`)
  await page.locator('.edit-tools > button').first().click()
  await page.locator('.editor').waitFor()
  await check(page, look, 'new entity')
  assert.deepEqual(wrongs, [])
}

test('axe finds nothing in 88 states: with forced colours, and in Arabic in the dark on a narrow screen', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const shared = await privateWorld()
  const walk = async (look: Look, id: string) => {
    await explore(browser, look)
    await readPlain(browser, look)
    await edit(browser, look, id, shared)
  }
  await Promise.all([walk('forced colours', 'io'), walk('Arabic, dark, 320 px', 'europa')])
  t.diagnostic(`${states.size} states`)
  assert.deepEqual(findings, [])
  assert.equal(states.size, 88)
})
