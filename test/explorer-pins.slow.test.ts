/** Pinned views of the demo world: the button of a list, the home page and the commands. Views that an owner publishes. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  FILE,
  inWorld,
  keepScreenshot,
  openBrowser,
  openDemoPage,
  openPage,
  untilReads,
  violations,
} from './browser.ts'
import { serve, world } from './command.ts'

const VIEW = 'sol%3Amoon?view=table&is.orbits=sol%3Aplanet%2Fsaturn&in.radiusKm=100..&sort=-radiusKm'

test('explorer: a list is pinned under the title of its page without scripts, found again and removed', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, `t/${VIEW}`)) ?? {}
  if (page === undefined) return
  const { origin } = new URL(page.url())
  const written = await (await fetch(`${origin}/v/${VIEW}`)).text()
  const title = /<h1[^>]*>([^<]+)</.exec(written)?.[1] ?? 'none'
  assert.match(title, /: radius at least 100, orbits Saturn, by radius, largest first$/)
  const pin = page.getByRole('button', { name: 'Pin', exact: true })
  const pressed = page.locator('.pin[aria-pressed=true]')
  await pin.focus()
  await page.keyboard.press('Enter')
  await pressed.waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'pins-list')
  await page.reload()
  await pressed.waitFor()

  await page.goto(`${origin}/#/w/${encodeURIComponent(origin)}/`)
  const link = page.getByRole('link', { name: `${title} · Table`, exact: true })
  await link.waitFor()
  await page.getByRole('heading', { name: 'Pinned views' }).waitFor()
  assert.deepEqual(await violations(page), [])
  await link.scrollIntoViewIfNeeded()
  await keepScreenshot(page, 'pins-home')
  for (const [language, heading] of [
    ['ar', 'العروض المثبّتة'],
    ['de', 'Angeheftete Ansichten'],
    ['es', 'Vistas fijadas'],
    ['en', 'Pinned views'],
  ] as const) {
    await page.evaluate(`localStorage.setItem('worldwright.language', '${language}')`)
    await page.reload()
    await page.getByRole('heading', { name: heading }).waitFor()
    assert.deepEqual(await violations(page), [])
  }

  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog', { name: 'Search and commands' })
  await dialog.getByRole('combobox').fill('pinned saturn')
  await dialog.getByRole('option', { name: `${title} · Table Pinned views` }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=-radiusKm/)
  await pressed.waitFor()

  await page.goBack()
  await page.getByRole('button', { name: `Remove: ${title} · Table` }).click()
  await link.waitFor({ state: 'detached' })
  await untilReads(page, 'document.activeElement.id', 'main')
  assert.deepEqual(wrongs, [])
})

const DEFINITION = `name: Shared
operator: true
types:
  - { type: "sol:moon", title: Moons, schema: { type: object, properties: { radius: { type: number } } } }
  - type: worldwright:view
    title: Views
    schema:
      type: object
      required: [path]
      properties: { path: { type: string, pattern: ^/v/, maxLength: 2000 } }
sources: [moons.ndjson]
`
const MOONS = [1, 20, 300].map((radius) => ({ type: 'sol:moon', id: `m${radius}`, attributes: { radius } }))

test('explorer: an owner publishes a view on the home page of the world, and withdraws it', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'world.yaml'), DEFINITION)
  await writeFile(join(folder, 'moons.ndjson'), MOONS.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const { stdout } = await world('token', 'create', folder, '--scope', 'write')
  const { origin } = await serve(FILE, folder, '--workers', '2')
  const title = 'Moons: radius at least 20, by radius, largest first'
  const homes = async () => {
    const { page, requests } = await openPage(browser)
    await page.goto(`${origin}/${inWorld(origin)}`)
    await page.getByRole('heading', { level: 1, name: 'Shared' }).waitFor()
    const links = await page.getByRole('link', { name: title, exact: true }).all()
    const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')))
    const plain = await (await fetch(`${origin}/`)).text()
    assert.ok(requests.every((url) => !url.includes('editing')))
    return { page, hrefs, plain: plain.includes(`>${title}</a>`) }
  }

  const { page, wrongs } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 'about')}`)
  await page.getByLabel('Token', { exact: true }).fill(stdout.trim())
  await page.getByRole('button', { name: 'Use this token' }).click()
  await page.getByRole('button', { name: 'Forget the token' }).waitFor()
  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon?in.radius=20..&sort=-radius')}`)
  const publish = page.getByRole('button', { name: 'Publish view' })
  await publish.waitFor()
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'publish-list')
  await publish.click()
  await page.getByLabel('Path').waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), title)
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'publish-form')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`${title} is saved.`).waitFor()
  const own = `${origin}/v/sol%3Amoon?in.radius=20..&sort=-radius`
  await page.locator(`a[href="${own}"]`).waitFor()

  const { page: reader, hrefs, plain } = await homes()
  assert.deepEqual([hrefs, plain], [[`${origin}/.${own.slice(origin.length)}`], true])
  assert.deepEqual(await violations(reader), [])
  await keepScreenshot(reader, 'publish-home')
  await reader.getByRole('link', { name: title, exact: true }).click()
  await reader.getByRole('link', { name: 'm300' }).first().waitFor()
  assert.equal(await reader.getByRole('button', { name: 'Publish view' }).count(), 0)

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText(`${title} is deleted.`).waitFor()
  const { hrefs: left, plain: isLeft } = await homes()
  assert.deepEqual([left, isLeft], [[], false])
  assert.deepEqual(wrongs, [])
})
