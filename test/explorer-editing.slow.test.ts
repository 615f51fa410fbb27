import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { FILE, inWorld, keepScreenshot, openBrowser, openPage, untilReads, violations } from './browser.ts'
import { serve, world } from './command.ts'

const DEFINITION = `name: Shared
operator: true
attachments: pictures
types:
  - type: sol:planet
    title: Planet
  - type: sol:moon
    title: Moon
    schema:
      type: object
      required: [radiusKm]
      properties:
        radiusKm: { type: number, exclusiveMinimum: 0, description: Mean radius }
        icy: { type: boolean }
        kind: { enum: [regular, irregular] }
        found: { type: string, format: date }
        orbits: { $ref: "#/$defs/planet" }
        notes: { type: string, contentMediaType: text/markdown }
        photo: { type: string, contentMediaType: image/* }
        views: { type: array, items: { type: string, contentMediaType: image/* } }
      $defs:
        planet: { type: object, required: [type, id], properties: { type: { const: "sol:planet" }, id: { type: string } } }
sources: [bodies.ndjson]
`

const BODIES = [
  { type: 'sol:planet', id: 'jupiter', title: 'Jupiter', attributes: {} },
  { type: 'sol:moon', id: 'io', title: 'Io', attributes: { radiusKm: 1821.6, icy: false, kind: 'regular' } },
]

/** Serves a world that can be written. Returns its origin and a token that may write moons. */
async function sharedWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await mkdir(join(folder, 'pictures'))
  await writeFile(join(folder, 'bodies.ndjson'), BODIES.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { stdout } = await world('token', 'create', folder, '--scope', 'write:sol:moon')
  const { origin } = await serve(FILE, folder, '--workers', '1')
  return { origin, token: stdout.trim(), folder }
}

/** Opens a page of the world in a browser of its own, as one person with a token. */
async function person(browser: Browser, origin: string, token: string, rest: string) {
  const watched = await openPage(browser)
  const { page } = watched
  const carrying = new Set<string>()
  page.on('request', (request) => {
    if (request.headers()['authorization'] !== undefined) carrying.add(new URL(request.url()).origin)
    assert.ok(!request.url().includes(token))
  })
  await page.goto(`${origin}/${inWorld(origin, 'about')}`)
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByRole('button', { name: 'Forget the token' }).waitFor()
  await page.goto(`${origin}/${inWorld(origin, rest)}`)
  return { ...watched, carrying }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const IO = 'e/sol%3Amoon/io'

test('explorer: two people edit one entity, and the second chooses between the values', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token } = await sharedWorld()
  const read = async () => {
    const response = await fetch(`${origin}/api/world/v0/entities/sol:moon/io`)
    return response.ok ? ((await response.json()) as { attributes: object }).attributes : response.status
  }
  const first = await person(browser, origin, token, IO)
  const second = await person(browser, origin, token, IO)
  for (const { page } of [first, second]) {
    await button(page, 'Edit').click()
    await page.getByLabel(/^Radius/).fill('1')
  }
  assert.deepEqual(await violations(first.page), [])
  await keepScreenshot(first.page, 'editing-form')

  await first.page.getByLabel('Icy').selectOption({ label: 'yes' })
  await first.page.getByLabel('Orbits').fill('jup')
  await first.page.getByRole('option', { name: 'Jupiter' }).waitFor()
  await first.page.keyboard.press('Enter')
  await first.page.keyboard.press('Enter')
  await first.page.getByText('Io is saved.').waitFor()
  await untilReads(first.page, 'document.activeElement.getAttribute("role")', 'status')
  const saved = { radiusKm: 1, icy: true, kind: 'regular', orbits: { type: 'sol:planet', id: 'jupiter' } }
  assert.deepEqual(await read(), saved)

  await second.page.getByLabel(/^Radius/).fill('2')
  await second.page.getByLabel('Notes').fill('Seen **twice**.\nToday.')
  const preview = second.page.locator('summary', { hasText: 'Preview: Notes' })
  await preview.focus()
  await second.page.keyboard.press('Enter')
  await second.page.locator('.preview strong', { hasText: 'twice' }).waitFor()
  assert.deepEqual(await violations(second.page), [])
  await preview.scrollIntoViewIfNeeded()
  await keepScreenshot(second.page, 'editing-preview')
  await button(second.page, 'Save').click()
  await second.page.getByText('This has been changed meanwhile.').waitFor()
  assert.deepEqual(await violations(second.page), [])
  await keepScreenshot(second.page, 'editing-conflict')
  assert.equal(await button(second.page, 'Save').isDisabled(), true)
  assert.deepEqual(await read(), saved)
  await second.page.getByRole('radio', { name: /^Yours: 2/ }).check()
  await button(second.page, 'Save').click()
  await second.page.getByText('Io is saved.').waitFor()
  assert.deepEqual(await read(), { ...saved, radiusKm: 2, notes: 'Seen **twice**.\nToday.' })
  await button(second.page, 'Undo').click()
  await second.page.getByText('The change of Io is undone.').waitFor()
  assert.deepEqual(await read(), saved)
  assert.deepEqual(await violations(second.page), [])

  await button(second.page, 'Edit').click()
  await second.page.getByLabel(/^Radius/).fill('3')
  await button(second.page, 'Save').click()
  await second.page.getByText('Io is saved.').waitFor()

  // The first person has not seen this, so that their deletion is refused until they have.
  await button(first.page, 'Undo').click()
  await first.page.getByText('This has been changed meanwhile.').waitFor()
  await button(first.page, 'Delete').click()
  assert.deepEqual(await violations(first.page), [])
  await first.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await first.page.getByRole('dialog').getByText('This has been changed meanwhile.').waitFor()
  assert.deepEqual(await read(), { ...saved, radiusKm: 3 })
  await button(first.page, 'Try again').click()
  await first.page.getByRole('dialog').waitFor({ state: 'hidden' })
  await button(first.page, 'Delete').click()
  await first.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await first.page.getByText('Io is deleted.').waitFor()
  assert.equal(await read(), 404)
  await button(first.page, 'Undo').click()
  await first.page.getByText('The change of Io is undone.').waitFor()
  assert.deepEqual(await read(), { ...saved, radiusKm: 3 })
  for (const { wrongs, carrying } of [first, second]) {
    assert.deepEqual(wrongs, [])
    assert.deepEqual([...carrying], [origin])
  }
})

/** Returns a JPEG of 3,000 x 100 pixels as a phone takes it: with a segment that notes the place. */
async function photograph(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate<number[]>(`(async () => {
    const canvas = new OffscreenCanvas(3000, 100)
    canvas.getContext('2d')
    const blob = await canvas.convertToBlob({ type: 'image/jpeg' })
    return [...new Uint8Array(await blob.arrayBuffer())]
  })()`)
  const note = Buffer.from('Exif\0\0 taken at 48.8584 N 2.2945 E')
  const segment = Buffer.from([0xff, 0xe1, 0, note.length + 2])
  return Buffer.concat([Buffer.from(drawn.slice(0, 2)), segment, note, Buffer.from(drawn.slice(2))])
}

test('explorer: a photograph is stored without its place, a dropped picture as it is, and shown once it is saved', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token, folder } = await sharedWorld()
  const { page, wrongs } = await person(browser, origin, token, IO)
  await button(page, 'Edit').click()
  const box = page.getByLabel('Picture file: Photo')
  const field = page.getByLabel('Photo', { exact: true })
  const text = Buffer.from('a text with the name of a picture')
  await box.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: text })
  await page
    .getByText(/^notes\.png: Not stored\. This takes one picture: AVIF, GIF, JPEG, PNG, WEBP, ≤ 4 MB\.$/)
    .waitFor()
  assert.deepEqual(await readdir(join(folder, 'pictures')), [])
  assert.deepEqual(await violations(page), [])

  const photo = await photograph(page)
  assert.ok(photo.includes('2.2945 E'))
  await box.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo })
  await page.getByText('The picture is stored. Save to show it.').waitFor()
  const path = await field.inputValue()
  assert.match(path, /^\/attachments\/uploads\/[0-9a-f]{64}\.jpg$/)
  const stored = Buffer.from(await (await fetch(origin + path)).arrayBuffer())
  assert.ok(!stored.includes('Exif') && !stored.includes('2.2945 E'))
  await untilReads(page, "document.querySelector('.picture-drop img')?.naturalWidth", 2560)
  await box.scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'editing-picture')
  await button(page, 'Save').click()
  await page.getByText('Io is saved.').waitFor()
  await untilReads(page, "document.querySelector('main .photo img')?.naturalWidth", 2560)

  await button(page, 'Edit').click()
  const dropped = await page.evaluateHandle(`(async () => {
    const canvas = new OffscreenCanvas(7, 5)
    canvas.getContext('2d')
    const png = await canvas.convertToBlob({ type: 'image/png' })
    const files = new DataTransfer()
    files.items.add(new File([png], 'dropped.png', { type: 'image/png' }))
    return files
  })()`)
  await page.locator('.picture-drop').first().dispatchEvent('drop', { dataTransfer: dropped })
  await untilReads(page, "document.querySelector('.picture-drop img')?.naturalWidth", 7)
  await button(page, 'Save').click()
  await page.getByText('Io is saved.').waitFor()
  assert.equal((await readdir(join(folder, 'pictures/uploads'))).length, 2)
  assert.deepEqual(
    wrongs.filter((line) => !line.includes('415')),
    [],
  )
})

test('explorer: pictures are stored one by one, and a file beside the box does not replace the form', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token, folder } = await sharedWorld()
  const { page } = await person(browser, origin, token, IO)
  await button(page, 'Edit').click()
  const gif = (name: string) => ({ name, mimeType: 'image/gif', buffer: Buffer.from(`GIF89a ${name}`) })
  const unfit = { ...gif('b.svg'), mimeType: 'image/svg+xml' }
  await page.getByLabel('Picture file: Views').setInputFiles([gif('a.gif'), unfit, gif('c.gif')])
  await page.locator('.wrong bdi + bdi', { hasText: /^Not stored\./ }).waitFor()
  await page.locator('.wrong', { hasText: /^b\.svg: / }).waitFor()
  await page.getByText('The picture is stored. Save to show it.').waitFor()
  const paths = (await page.getByLabel('Views', { exact: true }).inputValue()).split('\n')
  const stored = await readdir(join(folder, 'pictures/uploads'))
  assert.deepEqual(paths.toSorted(), stored.map((name) => `/attachments/uploads/${name}`).toSorted())

  const data = { items: [], files: [join(folder, 'dropped.gif')], dragOperationsMask: 1 }
  await writeFile(data.files[0] ?? '', 'GIF89a dropped')
  const devtools = await page.context().newCDPSession(page)
  const drop = async (place: Locator) => {
    await place.scrollIntoViewIfNeeded()
    const { x = 0, y = 0 } = (await place.boundingBox()) ?? {}
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
  }
  await drop(page.locator('.editor h2'))
  const held = Promise.withResolvers<void>()
  await page.route(/\/pictures\//, (route) => held.promise.then(() => route.continue()))
  const box = page.locator('.picture-drop').first()
  await drop(box)
  await box.getByText('The picture is being stored …').waitFor()
  assert.equal(await button(page, 'Save').isDisabled(), true)
  await drop(box)
  held.resolve()
  await box.getByText('The picture is stored. Save to show it.').waitFor()
  assert.equal(await button(page, 'Save').isDisabled(), false)
  assert.equal(page.context().pages().length, 1)
  await page.setViewportSize({ width: 320, height: 740 })
  await untilReads(page, 'document.documentElement.scrollWidth', 320)
})

test('explorer: a new entity is created with the keyboard on a narrow screen, and readers load nothing of it', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token } = await sharedWorld()
  const reader = await openPage(browser)
  // A page listens for changes once it has been at rest for a while.
  const atRest = reader.page.waitForRequest(/changes\?/)
  await reader.page.goto(`${origin}/${inWorld(origin, IO)}`)
  await reader.page.getByRole('heading', { level: 1, name: 'Io' }).waitFor()
  await atRest
  assert.deepEqual(
    reader.requests.filter((url) => /entity-editing|list-editing|editor|operator/.test(url)),
    [],
  )
  const { page, wrongs } = await person(browser, origin, token, 't/sol%3Amoon')
  await page.setViewportSize({ width: 360, height: 740 })
  await button(page, 'New').press('Enter')
  await untilReads(page, "document.activeElement.matches('.editor h2')", true)
  await page.keyboard.press('Tab')
  await page.keyboard.type('europa')
  await page.getByLabel('Title').fill('Europa')
  await page.getByLabel('Title').press('Enter')
  await page.getByText('This is required.').waitFor()
  await untilReads(page, 'document.activeElement.ariaInvalid', 'true')
  await page.keyboard.type('1560.8')
  // A date that is typed in part is not left out in silence.
  await page.getByLabel('Found').pressSequentially('12')
  await page.keyboard.press('Enter')
  await page.locator('.form-row', { hasText: 'Found' }).locator('.wrong').waitFor()
  assert.equal((await fetch(`${origin}/api/world/v0/entities/sol:moon/europa`)).status, 404)
  await page.getByLabel('Found').fill('')
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'editing-new-narrow')
  const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  assert.equal(await page.evaluate(isWide), false)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Europa' }).waitFor()
  await page.getByText('Europa is saved.').waitFor()
  const settled = page.waitForRequest(/changes\?.*planet/)
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Aplanet/jupiter')}`)
  await page.getByRole('heading', { level: 1, name: 'Jupiter' }).waitFor()
  await settled
  assert.equal(await button(page, 'Edit').count(), 0)
  assert.deepEqual(wrongs, [])
})
