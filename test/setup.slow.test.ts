import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startPostgres } from '../packages/publish/src/databases/servers.fixture.ts'
import { keepScreenshot, openBrowser, openPage, violations, WAIT_MS } from './browser.ts'
import { ROOT } from './source-files.ts'

const WORLD = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts')]
const BOATS = `Hull no,Name,Launched,Length,Owner note
H-7,Amber,03/04/2019,12 m,sold
H-9,"<b>Bolt</b>",25/12/2020,9 m,-
H-12,Curlew,01/02/2021,?,kept
`

/** Starts a setup in a new folder, until the test ends. Returns the folder and the address that works once. */
async function settingUp(t: TestContext): Promise<{ folder: string; address: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  const args = [...WORLD, 'serve', '--setup', folder, '--port', '0', '--workers', '1']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    await rm(folder, { recursive: true })
  })
  for await (const line of createInterface(child.stderr)) {
    const [address] = /http:\S+token=\S+/.exec(line) ?? []
    // Reading goes on, so that the process never waits for room in the pipe.
    if (address !== undefined) {
      child.stderr.resume()
      return { folder, address }
    }
  }
  return assert.fail('The setup ended before it was served.')
}

/** Waits until the world is loaded, and returns the entities of a type as JSON. */
async function loaded(page: Page, address: string, type: string): Promise<string> {
  const { origin } = new URL(address)
  await page.waitForURL((url) => url.origin === origin && !url.pathname.startsWith('/setup'), {
    timeout: WAIT_MS,
  })
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(50)) {
    const answer = await fetch(`${origin}/api/world/v0/entities/${encodeURIComponent(type)}`)
    if (answer.status !== 503) return answer.text()
  }
  return assert.fail('The world is not loaded in time.')
}

/** Drops files on the page, as from the desktop. */
async function drop(page: Page, ...files: [name: string, text: string][]): Promise<void> {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    for (const [name, text] of ${JSON.stringify(files)}) dataTransfer.items.add(new File([text], name))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }`)
}

test('setup: a dropped file is corrected and published, and the world has exactly these values', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { folder, address } = await settingUp(t)
  const { page, wrongs } = await openPage(browser)
  await page.goto(address)
  assert.deepEqual(await violations(page), [])
  await drop(page, ['notes.exe', 'x'])
  await page.getByRole('status').getByText('is no name of a data file').waitFor()
  await drop(page, ['boats.csv', BOATS])
  await page.getByRole('heading', { name: 'The result' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await page.getByLabel('Type, as prefix:name').fill('harbour:boat')
  await page.getByLabel('Name of the world').fill('Harbour')
  await page.getByLabel('Id', { exact: true }).selectOption('Name')
  await page.getByLabel('Title', { exact: true }).selectOption('Hull no')
  await page.getByLabel('Kind of Launched').selectOption('Date, 31/12/2024')
  await page.getByLabel('Label of Launched').fill('Since')
  await page.getByLabel('Kind of Length').selectOption('Text')
  await page.getByLabel('Missing values of Length').fill('?')
  await page.getByLabel('Leave out Owner note').check()
  await page.getByRole('button', { name: 'Show the result' }).press('Enter')
  const cells = page.getByRole('region', { name: 'First entities of harbour:boat' }).locator('tbody tr')
  await cells.getByText('2020-12-25').waitFor()
  assert.equal(await cells.count(), 3)
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'setup')
  await page.getByRole('button', { name: 'Publish' }).press('Enter')
  const { entities } = JSON.parse(await loaded(page, address, 'harbour:boat')) as {
    entities: { id: string; title: string; attributes: object }[]
  }
  assert.deepEqual(
    entities.map(({ id, title, attributes }) => [id, title, attributes]),
    [
      [
        '<b>Bolt</b>',
        'H-9',
        { 'Hull no': 'H-9', Name: '<b>Bolt</b>', Launched: '2020-12-25', Length: '9 m' },
      ],
      ['Amber', 'H-7', { 'Hull no': 'H-7', Name: 'Amber', Launched: '2019-04-03', Length: '12 m' }],
      ['Curlew', 'H-12', { 'Hull no': 'H-12', Name: 'Curlew', Launched: '2021-02-01' }],
    ],
  )
  assert.match(await readFile(join(folder, 'world.yaml'), 'utf8'), /^name: Harbour$/m)
  assert.equal((await fetch(new URL('/setup', address))).status, 404)
  assert.deepEqual(wrongs, [])
})

test('setup: the page fits a narrow screen, and has no faults in the dark', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { address } = await settingUp(t)
  const { page } = await openPage(browser, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
  await page.goto(address)
  await drop(page, ['boats.csv', BOATS])
  await page.getByRole('heading', { name: 'The result' }).waitFor()
  await page.getByLabel('Type, as prefix:name').fill('boat')
  await page.getByRole('button', { name: 'Show the result' }).click()
  await page.getByRole('alert').waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  assert.deepEqual(await violations(page), [])
  await keepScreenshot(page, 'setup-narrow')
  await page.emulateMedia({ forcedColors: 'active' })
  assert.deepEqual(await violations(page), [])
})

test('setup: of several files, what can be read is shown, and a double click publishes once', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { address } = await settingUp(t)
  const { page } = await openPage(browser)
  await page.goto(address)
  // So many rows take longer to publish than a second click.
  const crew = `no,name\n${Array.from({ length: 30_000 }, (_, no) => `${no},Ann ${no}\n`).join('')}`
  await drop(page, ['notes.exe', 'x'], ['boats.csv', BOATS], ['empty.csv', ''], ['crew.csv', crew])
  await page.getByRole('heading', { name: 'The result' }).waitFor()
  await page.getByRole('status').getByText('"notes.exe" is no name of a data file').waitFor()
  assert.equal(await page.locator('fieldset').count(), 2)
  const type = await page.getByLabel('Type, as prefix:name').first().inputValue()
  const publish = await page.getByRole('button', { name: 'Publish' }).elementHandle()
  await publish?.evaluate((button: { click(): void }) => {
    button.click()
    globalThis.setTimeout(() => button.click(), 100)
  })
  assert.match(await loaded(page, address, type), /Amber|Ann/)
})

test('setup: a password is used to load the world, and is neither shown nor written', async (t) => {
  const server = await startPostgres(
    t,
    "CREATE TABLE boats (id text PRIMARY KEY); INSERT INTO boats VALUES ('h7')",
  )
  const browser = server && (await openBrowser(t))
  if (server === undefined || browser === undefined) return
  const { folder, address } = await settingUp(t)
  const { page } = await openPage(browser)
  await page.goto(address)
  await page.getByLabel('Or a path').fill(server.url.replace('//world@', '//world:geheim@'))
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'The result' }).waitFor()
  assert.doesNotMatch(await page.content(), /geheim/)
  const type = await page.getByLabel('Type, as prefix:name').inputValue()
  const written = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Publish' }).click()
  const published = await (await written).text()
  assert.match(published, /The URL holds a password, so world\.yaml names \$\w+_DATABASE/)
  assert.doesNotMatch(published, /geheim/)
  assert.match(await loaded(page, address, type), /"id":"h7"/)
  const yaml = await readFile(join(folder, 'world.yaml'), 'utf8')
  assert.match(yaml, /postgres: \$\w+_DATABASE/)
  assert.doesNotMatch(yaml, /geheim/)
})
