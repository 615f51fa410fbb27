import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { folderOf } from '../packages/cli/src/serving.fixture.ts'
import { inWorld, openBrowser, openPage } from './browser.ts'
import { serveIn } from './command.ts'
import { freePort } from './free-port.ts'
import { type PlainAnswer, plainHost } from './site.ts'

const DEFINITION = `id: urn:example:sol
name: Sol
watch: false
search: { synonyms: [[ocean, sea]] }
types: [{ type: sol:moon, title: Moon }, { type: sol:planet, title: Planet }]
`
const WORDS = ['ocean', 'ice', 'volcano', 'plume', 'ring', 'crater', 'dust', 'methane']

function entitiesText(): string {
  const entities = Array.from({ length: 130 }, (_, at) => ({
    type: at % 13 === 0 ? 'sol:planet' : 'sol:moon',
    id: at === 5 ? 'a/b' : `e-${at}`,
    title: `Body ${at} ${WORDS[at % 8]}`,
    summary: `${WORDS[(at * 3) % 8]} and ${WORDS[(at * 5 + 1) % 8]}`,
    attributes: { text: WORDS.slice(0, at % 7).join(' ') },
  }))
  return entities.map((entity) => `${JSON.stringify(entity)}\n`).join('')
}

/** Creates a store with these entities and exports its site for a free port into `public` beside it. */
async function exportedSite(t: TestContext, entities: string) {
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'all.ndjson': entities })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  for (const argv of [
    ['import', 'all.ndjson'],
    ['export', '--site', 'public', '--public-url', origin],
  ]) {
    const { code, err } = await runWith(argv, { cwd })
    assert.equal(code, 0, err)
  }
  return { cwd, port, origin }
}

test('explorer: a world exported as files can be explored on a plain file server', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { cwd, port, origin } = await exportedSite(t, entitiesText())
  await plainHost(t, join(cwd, 'public'), port)
  const served = await serveIn(cwd, t, '--workers', '1')

  const { page, wrongs, requests } = await openPage(browser)
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Sol' }).waitFor()
  await page.locator('summary').filter({ hasText: 'Download' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'NDJSON', exact: true }).click(),
  ])
  assert.equal((await readFile(await file.path(), 'utf8')).trimEnd().split('\n').length, 130)

  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon')}`)
  await page.getByText('Body 1 ice').first().waitFor()
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Amoon/a%2Fb')}`)
  await page.getByRole('heading', { name: 'Body 5 crater' }).waitFor()
  await page.goto(`${origin}/${inWorld(origin, 'compare/sol%3Amoon/a%2Fb/sol%3Amoon/none')}`)
  await page.getByRole('columnheader', { name: /^none/ }).locator('.wrong').waitFor()
  assert.equal(await page.locator('.comparison thead a').count(), 1)
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Amoon/none')}`)
  await page.getByText('entity_not_found').first().waitFor()

  for (const text of ['ocean', 'sea', 'plume ice', 'vulcano', 'Body 77', 'nothingatall']) {
    const { out } = await runWith(['discover', served.origin, text, '--limit', '10', '--json'])
    const expected = out.split('\n').filter(Boolean)
    await page.goto(`${origin}/${inWorld(origin, `search?text=${encodeURIComponent(text)}`)}`)
    await page.locator('main').getByText(`“${text}”`).first().waitFor()
    const found = await page.locator('main').innerText()
    const titles = expected.map((line): string => JSON.parse(line).title)
    const places = titles.map((title) => found.indexOf(title))
    assert.ok(
      places.every((place) => place >= 0),
      `${text}: ${titles} is not in ${found}`,
    )
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      text,
    )
  }
  assert.ok(requests.some((url) => url.includes('search-worker')))

  // The box says that its text is unfinished, so that its last word is a beginning.
  await page.goto(origin)
  await page.getByRole('combobox', { name: 'Search this world' }).pressSequentially('Body 12')
  await page.getByRole('option', { name: /^Body 12 ring/ }).waitFor()
  await page.getByRole('option', { name: /^Body 121 ice/ }).waitFor()
  assert.deepEqual(wrongs, [])
})

/** Returns entities with three hundred unique words each, so that the index is much larger than what one search reads. */
function wordyText(): string {
  const entities = Array.from({ length: 320 }, (_, at) => ({
    type: 'sol:moon',
    id: `e-${at}`,
    title: `Body ${at}`,
    attributes: { text: Array.from({ length: 300 }, (_, word) => `w${at * 300 + word}x`).join(' ') },
  }))
  return entities.map((entity) => `${JSON.stringify(entity)}\n`).join('')
}

test('explorer: a search in a world of files reads only those parts of the index that it needs', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { cwd, port, origin } = await exportedSite(t, wordyText())
  const answers: PlainAnswer[] = []
  const root = join(cwd, 'public')
  await plainHost(t, root, port, { ranges: true, answered: (answer) => answers.push(answer) })
  const { page, wrongs } = await openPage(browser)
  for (const at of [7, 311]) {
    await page.goto(`${origin}/${inWorld(origin, `search?text=w${at * 300 + 50}x`)}`)
    await page
      .locator('main')
      .getByRole('link', { name: `Body ${at}`, exact: true })
      .waitFor()
  }
  const parts = answers.filter(({ status }) => status === 206)
  assert.ok(parts.length > 1)
  const rows = new Set(parts.map(({ path }) => path))
  assert.equal(rows.size, 1)
  const [path = ''] = rows
  assert.deepEqual(
    answers.filter((answer) => answer.path === path && answer.status !== 206),
    [],
  )
  const read = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const { size } = await stat(join(root, path))
  t.diagnostic(`${parts.length} parts, ${read} of ${size} bytes`)
  assert.ok(read < size, `${read} of ${size} bytes`)
  assert.deepEqual(wrongs, [])
})
