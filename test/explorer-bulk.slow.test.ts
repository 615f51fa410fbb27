import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { FILE, inWorld, keepScreenshot, openBrowser, openPage, violations } from './browser.ts'
import { serve, world } from './command.ts'

const DEFINITION = `name: Shared
operator: true
types:
  - type: sol:moon
    title: Moon
    schema:
      type: object
      required: [radiusKm]
      properties:
        radiusKm: { type: number, exclusiveMinimum: 0 }
        icy: { type: boolean }
        code: { type: string, pattern: "^[a-z]+$" }
        found: { type: string, format: date }
sources: [moons.ndjson]
`

const HOSTILE = '<img src=x onerror=alert(1)>\u202e'
const TITLES = ['Io', 'Europa', HOSTILE, '__proto__', '=1+1']
const MOONS = [
  ...TITLES.map((title, at) => ({ title, id: `m${at}` })),
  ...Array.from({ length: 35 }, (_, at) => ({ title: `Moon ${at}`, id: `n${at}` })),
].map((one) => {
  const attributes = { radiusKm: 1, ...(one.id === 'n0' && { found: '1979-03-08' }) }
  return { type: 'sol:moon', ...one, attributes }
})

/** Serves a world of 40 moons. Returns its origin and a token that may write them. */
async function sharedWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await writeFile(join(folder, 'moons.ndjson'), MOONS.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { stdout } = await world('token', 'create', folder, '--scope', 'write:sol:moon')
  const { origin } = await serve(FILE, folder, '--workers', '1')
  const url = `${origin}/api/world/v0/entities/sol:moon`
  const read = async (id: string) => {
    const response = await fetch(`${url}/${id}`)
    return response.ok ? ((await response.json()) as { attributes: object }).attributes : response.status
  }
  return { origin, token: stdout.trim(), read }
}

/** Opens the list of moons in a browser of its own, as one person with a token. */
async function person(browser: Browser, origin: string, token: string) {
  const watched = await openPage(browser)
  const { page } = watched
  await page.goto(`${origin}/${inWorld(origin, 'about')}`)
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByRole('button', { name: 'Forget the token' }).waitFor()
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon')}`)
  await row(page, 'Io').waitFor()
  return watched
}

const row = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select: ${name}`, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const box = (page: Page, label: string | RegExp) => page.locator('form.editor').getByLabel(label)
const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await setTimeout(20)
}
const result = (page: Page) => page.locator('.edit-tools .note[role=status]')

test('explorer: two people change a selection, and what the first has changed is a conflict for the second', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token, read } = await sharedWorld()
  const first = await person(browser, origin, token)
  const second = await person(browser, origin, token)
  assert.deepEqual(await violations(first.page), [])

  await row(first.page, 'Io').focus()
  await first.page.keyboard.press('Space')
  await row(first.page, 'Europa').press('Space')
  await first.page.getByText('Selected: 2').waitFor()
  await box(first.page, 'What to change').selectOption('attributes/radiusKm')
  await box(first.page, /^Radius/).fill('2.5')
  await button(first.page, 'Set a value: 2').waitFor()
  assert.deepEqual(await violations(first.page), [])
  await keepScreenshot(first.page, 'bulk-form')
  await box(first.page, /^Radius/).press('Enter')
  await result(first.page).getByText('Done: 2').waitFor()
  assert.deepEqual(
    [await read('m0'), await read('m1'), await read('m2')],
    [{ radiusKm: 2.5 }, { radiusKm: 2.5 }, { radiusKm: 1 }],
  )

  for (const name of ['Io', '__proto__', '=1+1']) await row(second.page, name).check()
  await second.page.getByRole('checkbox', { name: /^Select: <img/ }).check()
  await box(second.page, 'What to change').selectOption('attributes/radiusKm')
  await box(second.page, /^Radius/).fill('9')
  await button(second.page, 'Set a value: 4').click()
  await result(second.page).getByText('Done: 3').waitFor()
  assert.match(await result(second.page).innerText(), /^(?:Conflict: 1 · Done: 3|Done: 3 · Conflict: 1)$/)
  await second.page.getByText('Io – Conflict: This has been changed meanwhile.').waitFor()
  assert.deepEqual(await violations(second.page), [])
  await keepScreenshot(second.page, 'bulk-conflict')
  assert.deepEqual([await read('m0'), await read('m2')], [{ radiusKm: 2.5 }, { radiusKm: 9 }])
  await button(second.page, 'Undo: 3').click()
  await until(async () => !Object.values(await read('m4')).includes(9))
  await result(second.page).getByText('Done: 3', { exact: true }).waitFor()
  assert.deepEqual([await read('m2'), await read('m3'), await read('m4')], Array(3).fill({ radiusKm: 1 }))

  await button(first.page, 'Close').click()
  await first.page.locator('.edit-tools input:focus').waitFor()
  // The list is read again, so that the values are those of the world.
  await first.page.getByRole('row', { name: /^Europa.*2\.5/ }).waitFor()
  await row(first.page, '=1+1').check()
  await box(first.page, 'What to change').selectOption('attributes/code')
  await box(first.page, 'Code').fill('__proto__ =1')
  await button(first.page, 'Set a value: 1').click()
  await result(first.page).getByText('Refused: 1').waitFor()
  await first.page.getByText(/=1\+1 – Refused: attributes\/code: /).waitFor()
  for (const { wrongs } of [first, second]) assert.deepEqual(wrongs, [])
})

test('explorer: a selection is deleted on a narrow screen and restored, and a reader sees no boxes', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token, read } = await sharedWorld()
  const reader = await openPage(browser)
  await reader.page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon')}`)
  await reader.page.getByRole('row', { name: /^Europa/ }).waitFor()
  await reader.page.locator('.compare').first().waitFor()
  assert.equal(await reader.page.locator('.row-check, .edit-tools').count(), 0)
  assert.deepEqual(
    reader.requests.filter((url) => /list-editing|several|edit-words|operator/.test(url)),
    [],
  )

  const { page, wrongs } = await person(browser, origin, token)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByLabel('Select all loaded').check()
  await page.getByText('Selected: 40').waitFor()
  await row(page, 'Io').uncheck()
  await page.getByText('Selected: 39').waitFor()
  assert.equal(await page.getByLabel('Select all loaded').isChecked(), false)
  await box(page, 'What to change').selectOption('attributes/found')
  // A date that is typed in part is not taken for none.
  await box(page, 'Found').pressSequentially('12')
  await button(page, 'Remove the value: 1').click()
  assert.equal(
    await box(page, 'Found').evaluate('document.querySelector("input[type=date]:invalid") !== null'),
    true,
  )
  assert.deepEqual(await read('n0'), { radiusKm: 1, found: '1979-03-08' })
  await box(page, 'What to change').selectOption({ label: 'Delete' })
  await button(page, 'Delete: 39').waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'bulk-delete-narrow')
  const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  assert.equal(await page.evaluate(isWide), false)
  await button(page, 'Delete: 39').click()
  await result(page).getByText('Done: 39', { exact: true }).waitFor()
  assert.deepEqual([await read('m0'), await read('m1'), await read('n34')], [{ radiusKm: 1 }, 404, 404])
  await button(page, 'Undo: 39').click()
  await until(async () => (await read('n34')) !== 404)
  await result(page).getByText('Done: 39', { exact: true }).waitFor()
  assert.deepEqual([await read('m1'), await read('n34')], [{ radiusKm: 1 }, { radiusKm: 1 }])
  assert.deepEqual(await violations(page), [])
  assert.deepEqual(wrongs, [])
})

test('explorer: a table is imported into a type, with what cannot be read named by row', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token, read } = await sharedWorld()
  const { page, wrongs, requests } = await person(browser, origin, token)
  assert.ok(requests.every((url) => !url.includes('sync-')))
  const table = `id;title;Radius;code;colour\nm0;;2,5;;red\nm1;;7.50;;red\n=1;${HOSTILE};3;abc;\nm9;<b>;1;A1;\n`
  for (const isUpdating of [false, true]) {
    await button(page, 'Import a table').click()
    await page.getByLabel('CSV file').setInputFiles({
      name: 'moons.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(table),
    })
    await page.getByText('Rows: 4 · Refused: 1').waitFor()
    await page.getByText('Columns left out: colour').waitFor()
    await page.getByRole('row', { name: /^2 Radius: Write a number, such as 12\.5\./ }).waitFor()
    if (isUpdating) await page.getByLabel('Also change entities that exist').check()
    else await keepScreenshot(page, 'import-form')
    assert.deepEqual(await violations(page), [])
    await button(page, 'Import a table: 3').click()
    const conflict = isUpdating ? 'Refused: 2 · Done: 1 · Unchanged: 1' : 'Refused: 2 · Conflict: 1 · Done: 1'
    await result(page).getByText(conflict, { exact: true }).waitFor()
    await page.getByText(/^5 m9 – Refused: attributes\/code: /).waitFor()
    assert.deepEqual(
      [await read('m0'), await read('m1'), await read('=1'), await read('m9')],
      [{ radiusKm: 1 }, { radiusKm: isUpdating ? 7.5 : 1 }, { radiusKm: 3, code: 'abc' }, 404],
    )
    assert.deepEqual(await violations(page), [])
    await button(page, 'Close').click()
  }
  assert.deepEqual(wrongs, [])
})
