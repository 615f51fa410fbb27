import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  FILE,
  inWorld,
  keepScreenshot,
  openBrowser,
  openPage,
  untilImagesShow,
  violations,
} from './browser.ts'
import { serve, world } from './command.ts'
import { discovery, fakeWorld, say } from './fake-world.ts'

const TITLE = 'This needs a token'

/** PNG image of a single pixel, Base64-encoded. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let hidden: ReturnType<typeof startPrivateWorld> | undefined

/** Returns a private world with one moon, and a read token. All tests of this file share it, so they must not change it. */
function privateWorld() {
  hidden ??= startPrivateWorld()
  return hidden
}

async function startPrivateWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'world.yaml'),
    'name: Hidden\nprivate: true\nattachments: files\ntypes: [{ type: sol:moon }]\nsources: [moons.ndjson]\n',
  )
  const moon = {
    type: 'sol:moon',
    id: 'europa',
    title: 'Europa',
    attributes: { photo: '/attachments/dot.png' },
  }
  await mkdir(join(folder, 'files'))
  await writeFile(join(folder, 'files', 'dot.png'), Buffer.from(DOT, 'base64'))
  await writeFile(join(folder, 'moons.ndjson'), `${JSON.stringify(moon)}\n`)
  const { origin } = await serve(FILE, folder, '--workers', '1')
  const { stdout } = await world('token', 'create', folder, '--scope', 'read')
  return { origin, token: stdout.trim() }
}

for (const [locale, title, label, use, forget] of [
  ['en-GB', TITLE, 'Token', 'Use this token', 'Forget the token'],
  ['de-DE', 'Dafür braucht es ein Token', 'Token', 'Dieses Token verwenden', 'Das Token vergessen'],
] as const) {
  test(`explorer: a private world asks for a token, reads with it, and forgets it (${locale})`, async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const { origin, token } = await privateWorld()
    const { page, wrongs, requests } = await openPage(browser, { locale })
    await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Amoon/europa')}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    assert.deepEqual(await violations(page), [])
    await keepScreenshot(page, `private-world-${locale}`)
    assert.deepEqual(
      requests.filter((url) => url.includes('/api/')),
      [],
      'it was asked in vain',
    )
    const box = page.getByLabel(label, { exact: true })
    await box.fill('two words')
    await page.getByRole('button', { name: use }).click()
    await page.getByRole('alert').waitFor()
    await box.fill('ww_of_nobody')
    await box.press('Enter')
    // After a refused token, the same message is shown with the world's answer below it.
    await page.getByText('unauthenticated').waitFor()
    assert.deepEqual(await violations(page), [])
    await box.fill(token)
    await box.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Europa' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Europa' }).waitFor()
    await page.goto(`${origin}/${inWorld(origin, 'about')}`)
    await page.getByRole('button', { name: forget }).click()
    await page.goto(`${origin}/${inWorld(origin)}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /token|ww_/)
    assert.deepEqual(wrongs, [])
  })
}

test('explorer: a token is sent only to the API of the world for which it was entered', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token } = await privateWorld()
  const other = await fakeWorld(
    t,
    discovery({ authentication: { required: true, schemes: ['bearer'] } }),
    (path, response) =>
      path.startsWith('/api') && say(response, 401, { code: 'unauthenticated', message: 'who?' }),
  )
  const { page } = await openPage(browser)
  const carrying: string[] = []
  page.on('request', async (request) => {
    if (request.headers()['authorization'] !== undefined) carrying.push(request.url())
  })
  await page.goto(`${origin}/${inWorld(origin)}`)
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByLabel('Token', { exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hidden' }).waitFor()
  await page.getByText('Europa').first().waitFor()
  await page.goto(`${origin}/${inWorld(other.origin)}`)
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor()
  assert.ok(carrying.length > 0)
  for (const url of carrying) assert.ok(url.startsWith(`${origin}/api/world/v0/`), url)
  assert.deepEqual(
    other.asked.filter((path) => path.startsWith('/api')),
    [],
  )
})

test('explorer: pictures of a private world are shown, and code snippets do not contain the token', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { origin, token } = await privateWorld()
  assert.equal((await fetch(`${origin}/attachments/dot.png`)).status, 401)
  const { page, wrongs } = await openPage(browser)
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Amoon/europa')}`)
  await page.getByLabel('Token', { exact: true }).fill(token)
  await page.getByLabel('Token', { exact: true }).press('Enter')
  await untilImagesShow(page, 'img[src^="blob:"]', 1)
  await page.getByText('-H "Authorization: Bearer $WORLD_TOKEN"').waitFor()
  assert.ok(!(await page.locator('main').innerText()).includes(token))
  assert.deepEqual(wrongs, [])
})
