import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from '@worldwright/client'
import { inWorld, openBrowser, openPage } from './browser.ts'
import { serve, world } from './command.ts'
import { freePort } from './free-port.ts'
import { startProxy } from './hostile/proxy.fixture.ts'
import { ROOT } from './source-files.ts'

/** Returns the configuration of nginx for a world below a path of another site, as the guide has it. */
async function siteBlock(): Promise<string> {
  const guide = await readFile(join(ROOT, 'docs/guides/behind-a-proxy.md'), 'utf8')
  const [block = ''] = guide.split('## Beside another site')[1]?.split('```nginx\n')[1]?.split('```') ?? []
  assert.match(block, /server_name museum\.example;/)
  return block
}

test('a world is on the host of another site, with its API and explorer below a path', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'museum-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'index.html'), 'The museum')
  const [port, worldPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  const addresses = ['--public-url', origin, '--api-url', `${origin}/collections/api`, '--no-pages']
  const store = ['--store', `sqlite:${join(folder, 'sol.db')}`, '--workers', '1', '--port', `${worldPort}`]
  await serve(t, 'examples/solar-system', ...store, ...addresses)
  const block = (await siteBlock())
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:8080', `127.0.0.1:${worldPort}`)
    .replace('/var/www/museum', folder)
    .replaceAll('https%3A%2F%2Fmuseum.example', encodeURIComponent(origin))
  if (!(await startProxy(t, 'nginx', port, worldPort, () => block))) return

  await t.test('the rest of the host stays with the site', async () => {
    assert.equal(await (await fetch(origin)).text(), 'The museum')
    for (const path of ['/t/sol%3Amoon/io', '/_explorer/', '/api/world/v0/entities/sol%3Amoon'])
      assert.equal((await fetch(origin + path)).headers.get('request-id'), null, path)
  })

  await t.test('clients find the API by discovery, and targets arrive unchanged', async () => {
    const sol = await connect(origin)
    assert.equal(sol.document.endpoints.api, `${origin}/collections/api`)
    assert.ok((await sol.list('sol:moon', { limit: 3 })).entities.length === 3)
    assert.equal((await sol.get('sol:moon', 'io'))?.title, 'Io')
    const slash = await fetch(`${origin}/collections/api/entities/sol%3Amoon/a%2Fb`)
    assert.equal(slash.headers.get('world-error-code'), 'entity_not_found')
    const found = await world('discover', origin, 'volcanic moon', '--json')
    assert.equal(found.code, 0, found.stderr)
    assert.match(found.stdout, /"id":"io"/)
    const table = await fetch(`${origin}/download/sol%3Amoon.csv`)
    assert.match(await table.text(), /^id,title,/)
  })

  await t.test('doctor finds nothing, by the address of the host and by that with the path', async () => {
    for (const address of [origin, `${origin}/collections/`]) {
      const { code, stdout, stderr } = await world('doctor', address, '--json')
      assert.deepEqual(JSON.parse(stdout).findings, [], address)
      assert.equal(code, 0, stderr)
    }
  })

  await t.test('the explorer shows a list and an entity below the path', async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const { page, wrongs, requests } = await openPage(browser)
    for (const path of ['/collections', '/collections/']) {
      await page.goto(origin + path)
      await page.getByRole('heading', { name: 'Sol', level: 1 }).waitFor()
    }
    await page.goto(`${origin}/collections/explorer${inWorld(origin, 't/sol%3Amoon')}`)
    await page.getByText('Adrastea').first().waitFor()
    await page.goto(`${origin}/collections/explorer${inWorld(origin, 'e/sol%3Amoon/io')}`)
    await page.getByRole('heading', { name: 'Io', exact: true }).first().waitFor()
    assert.deepEqual(wrongs, [])
    const others = requests.filter(
      (url) => !/\/(?:collections|attachments|\.well-known)\b/.test(new URL(url).pathname),
    )
    assert.deepEqual(others, [])
    assert.equal((await fetch(`${origin}/attachments/io.webp`)).headers.get('content-type'), 'image/webp')
  })
})
