/** The page of the last changes of a world that is written while the page is open. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FILE, inWorld, keepScreenshot, openBrowser, openPage, violations } from './browser.ts'
import { serve, world } from './command.ts'

const DEFINITION = `name: Shared
operator: true
types:
  - type: sol:planet
    title: Planet
  - type: sol:moon
    title: Moon
    schema:
      type: object
      properties:
        radiusKm: { type: number, description: Mean radius }
        kind: { enum: [regular, irregular] }
        notes: { type: string }
sources: [bodies.ndjson]
`

const BODIES = [
  { type: 'sol:planet', id: 'jupiter', title: 'Jupiter', attributes: {} },
  { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radiusKm: 1821.6, kind: 'irregular' } },
  { type: 'sol:moon', id: 'metis', title: 'Metis', attributes: { radiusKm: 21.5 } },
]

/** Serves a world that can be written. Returns its origin, and a function that writes a moon or deletes it. */
async function writtenWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await writeFile(join(folder, 'bodies.ndjson'), BODIES.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { stdout } = await world('token', 'create', folder, '--scope', 'write')
  const { origin } = await serve(FILE, folder, '--workers', '1')
  async function write(id: string, entity?: object) {
    const response = await fetch(`${origin}/api/operator/v0/entities/sol%3Amoon/${id}`, {
      method: entity ? 'PUT' : 'DELETE',
      headers: { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' },
      ...(entity && { body: JSON.stringify(entity) }),
    })
    assert.ok(response.ok, await response.text())
  }
  return { origin, write }
}

test('explorer: changes are listed, and those made meanwhile with the values before and after', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, write } = await writtenWorld()
  const { page, wrongs } = await openPage(browser)
  page.setDefaultTimeout(30_000)
  const items = page.locator('.changes > li')
  const first = (text: RegExp) => items.first().filter({ hasText: text }).waitFor()

  await page.goto(`${origin}/${inWorld(origin)}`)
  await page.getByRole('link', { name: 'What changed' }).click()
  await page.getByRole('heading', { level: 1, name: 'What changed' }).waitFor()
  await items.nth(2).waitFor()
  assert.deepEqual((await items.allInnerTexts()).map((text) => text.match(/^Added (\w+)/)?.[1]).toSorted(), [
    'Io',
    'Jupiter',
    'Metis',
  ])
  assert.match(await page.title(), /^What changed: Shared/)

  const hostile = '<img src=x onerror=alert(1)>\u202e'
  await write('io', {
    title: 'Io, the moon',
    attributes: { radiusKm: 1830, kind: 'irregular', notes: hostile },
  })
  await first(/^Changed Io, the moon/)
  const values = (await items.first().locator('tr').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  assert.deepEqual(values.slice(0, 2), ['Title Io Io, the moon', 'Radius 1,821.6 km 1,830 km'])
  assert.match(values[2] ?? '', /^Notes no value <img src=x onerror=alert\(1\)>/)
  assert.equal(values.length, 3)
  const arrow = "getComputedStyle(document.querySelector('.changes td + td'), '::before').content"
  assert.match(String(await page.evaluate(arrow)), /→/)

  await write('europa', { title: 'Europa', attributes: { radiusKm: 1560.8 } })
  await first(/^Added Europa/)
  await write('metis')
  await first(/^Removed Metis/)
  assert.equal(await items.first().getByRole('link').count(), 0)
  assert.equal(await items.filter({ hasText: 'Metis' }).count(), 2)
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'changes')

  // Going to an entity and back keeps the values that only this page knows.
  await items.filter({ hasText: 'Europa' }).getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Europa' }).waitFor()
  await page.goBack()
  await page.getByRole('row', { name: 'Radius 1,821.6 km → 1,830 km' }).waitFor()

  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Aplanet')}`)
  await page.getByRole('link', { name: 'What changed' }).click()
  await page.getByRole('heading', { level: 1, name: 'What changed Planet' }).waitFor()
  await items.filter({ hasText: 'Jupiter' }).waitFor()
  await keepScreenshot(page, 'changes-type')
  assert.equal(await items.count(), 1)
  assert.deepEqual(wrongs, [])

  const options = { locale: 'ar', forcedColors: 'active', viewport: { width: 390, height: 844 } } as const
  const arabic = await openPage(browser, options)
  await arabic.page.goto(`${origin}/${inWorld(origin, 'changes')}`)
  await arabic.page.locator('.changes > li').nth(3).waitFor()
  await write('io', { title: 'Io', attributes: { radiusKm: 1821.6, kind: 'irregular' } })
  await arabic.page.getByRole('row', { name: /1[.,٬]?821/ }).waitFor()
  assert.equal(await arabic.page.evaluate('document.documentElement.scrollWidth'), 390)
  assert.match(String(await arabic.page.evaluate(arrow)), /←/)
  assert.deepEqual(await violations(arabic.page), [])
  await keepScreenshot(arabic.page, 'changes-arabic')
  assert.deepEqual(arabic.wrongs, [])
})
