import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { folderOf } from '../packages/cli/src/serving.fixture.ts'
import { inWorld, openBrowser, openPage } from './browser.ts'
import { serveIn } from './command.ts'
import { freePort } from './foreign-worlds.ts'
import { plainHost } from './site.ts'

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

test('explorer: a world of files on any file server opens, pages, shows and is searched as a served one is', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const cwd = await folderOf(t, { 'world.yaml': DEFINITION, 'all.ndjson': entitiesText() })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  for (const argv of [
    ['import', 'all.ndjson'],
    ['export', '--site', 'public', '--public-url', origin],
  ]) {
    const { code, err } = await runWith(argv, { cwd })
    assert.equal(code, 0, err)
  }
  await plainHost(t, join(cwd, 'public'), port)
  const served = await serveIn(cwd, t, '--workers', '1')

  const { page, wrongs, requests } = await openPage(browser)
  await page.goto(origin)
  await page.getByRole('heading', { name: 'Sol' }).waitFor()
  assert.ok(!requests.some((url) => url.includes('search-worker')))

  await page.goto(`${origin}/${inWorld(origin, 't/sol%3Amoon')}`)
  await page.getByText('Body 1 ice').first().waitFor()
  await page.goto(`${origin}/${inWorld(origin, 'e/sol%3Amoon/a%2Fb')}`)
  await page.getByRole('heading', { name: 'Body 5 crater' }).waitFor()
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
  assert.deepEqual(wrongs, [])
})
