/** The summary of a list in the explorer: what takes how many presses from the home page, and where its numbers lead. */
import assert from 'node:assert/strict'
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  demoWorld,
  inWorld,
  openBrowser,
  openDemoPage,
  openPage,
  temporaryStore,
  untilReads,
  violations,
} from './browser.ts'
import { serve, world, worldIn } from './command.ts'
import { freePort } from './free-port.ts'
import { realData } from './real-data.ts'
import { plainHost } from './site.ts'
import { ROOT } from './source-files.ts'

/** Maximum number of presses that a question may take from the home page. */
const MOST_PRESSES = 6

/** Opens the home page of a world. `pressed` counts the presses on links and in menus. */
async function fromHome(t: TestContext, origin: string, options: BrowserContextOptions = {}) {
  const browser = await openBrowser(t)
  if (browser === undefined) return undefined
  const { page, wrongs } = await openPage(browser, options)
  await page.goto(`${origin}/${inWorld(origin)}`)
  let pressed = 0
  const press = async (name: string) => {
    pressed += 1
    await page.locator('main').getByRole('link', { name, exact: true }).click()
  }
  /** Opens a menu and chooses from it. */
  const choose = async (label: string, option: string) => {
    pressed += 2
    await page.getByLabel(label, { exact: true }).selectOption({ label: option })
  }
  return { page, wrongs, press, choose, pressed: () => pressed }
}

/** Waits until the table has a row, given by the text of its cells. */
async function untilRow(page: Page, ...cells: readonly (string | RegExp)[]): Promise<void> {
  const row = cells.reduce(
    (rows, cell) =>
      rows.filter({
        has: page.locator('th, td', { hasText: typeof cell === 'string' ? new RegExp(`^${cell}`) : cell }),
      }),
    page.locator('.summary tbody tr'),
  )
  await row.first().waitFor()
}

/** A question: the title of its type, what is chosen in the summary, and cells of a row of the answer. */
type Question = readonly [
  question: string,
  type: string,
  choices: readonly (readonly [label: string, option: string])[],
  row: readonly (string | RegExp)[],
]

/** Answers each question from the home page of a world, and counts the presses. */
async function answerAll(t: TestContext, origin: string, questions: readonly Question[]): Promise<void> {
  for (const [question, type, choices, row] of questions) {
    await t.test(question, async (t) => {
      const home = await fromHome(t, origin)
      if (home === undefined) return
      await home.press(type)
      await home.press('Summary')
      for (const [label, option] of choices) await home.choose(label, option)
      await untilRow(home.page, ...row)
      assert.ok(home.pressed() <= MOST_PRESSES, `${home.pressed()} presses`)
      assert.deepEqual(home.wrongs, [])
    })
  }
}

const mean = ['Add a column', 'Radius (km)'] as const
const DEMO_QUESTIONS: readonly Question[] = [
  ['which planet has most moons', 'Moon', [], ['Saturn', '32']],
  ['mean radius of moons by planet', 'Moon', [mean], ['Jupiter', '25', /^420\.4/]],
  ['moons per decade', 'Moon', [['By', 'Discovery year']], ['1610s', '4']],
  ['mean radius of moons by kind of planet', 'Moon', [['By', 'Orbits: Kind'], mean], ['gas giant', '57']],
]

test('explorer: a summary answers questions in few presses', async (t) => {
  await answerAll(t, await demoWorld(), DEMO_QUESTIONS)
})

test('explorer: a world of files on a plain file server answers the same questions', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  t.after(() => rm(folder, { recursive: true }))
  await cp(join(ROOT, 'examples/solar-system'), folder, { recursive: true })
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const store = await temporaryStore(t)
  for (const args of [['import'], ['export', '--site', 'public', '--public-url', origin]]) {
    const done = await worldIn(folder, ...args, '--store', store)
    assert.equal(done.code, 0, done.stderr)
  }
  await plainHost(t, join(folder, 'public'), port, { ranges: true })
  await answerAll(t, origin, DEMO_QUESTIONS)
})

test('explorer: a summary of real planets answers in few presses', async (t) => {
  const data = realData(t, 'entities/exoplanets.ndjson')
  if (data === undefined) return
  const store = await temporaryStore(t)
  const imported = await world('import', data, '--store', store)
  assert.equal(imported.code, 0, imported.stderr)
  const { origin } = await serve(t, '--store', store, '--workers', '1')
  await answerAll(t, origin, [
    ['mean mass by discovery method', 'Planet', [['Add a column', 'Mass']], ['imaging', '95', /^11\.01/]],
    ['which star has most planets', 'Planet', [['By', 'Star']], ['s-Sun', '9']],
  ])
})

test('explorer: a summary of real books answers in few presses', async (t) => {
  const data = realData(t, 'entities/books.csv')
  if (data === undefined) return
  const folder = await mkdtemp(join(tmpdir(), 'books-'))
  t.after(() => rm(folder, { recursive: true }))
  await copyFile(data, join(folder, 'books.csv'))
  assert.equal((await worldIn(folder, 'init', 'books.csv')).code, 0)
  const { origin } = await serve(t, folder, '--store', await temporaryStore(t), '--workers', '1')
  const decades = ['In steps of', '10 years'] as const
  await answerAll(t, origin, [
    ['books per decade', 'Book', [['By', 'Original publication year'], decades], ['1990s', /^1,\d{3}/]],
    [
      'best-rated language',
      'Book',
      [
        ['By', 'Language code'],
        ['Add a column', 'Average rating'],
      ],
      ['tur', '1', /^4\.49/],
    ],
  ])
})

test('explorer: the numbers of a summary lead to their entities, and Back returns to the summary', async (t) => {
  const { page, wrongs } =
    (await openDemoPage(t, 't/sol%3Amoon?view=summary&by=100%3AdiscoveryYear&of=avg%3AradiusKm')) ?? {}
  if (page === undefined) return
  await untilRow(page, 'All', '122', /^300\.9/)
  await untilRow(page, 'no value', '1')
  assert.deepEqual(await violations(page), [])
  const header = page.getByRole('button', { name: 'Radius mean, km' })
  await header.focus()
  await page.keyboard.press('Enter')
  await page.locator('th[aria-sort=descending]', { hasText: 'Radius' }).waitFor()
  await untilReads(page, 'document.activeElement?.className.split(" ")[0]', 'sort')
  await page
    .getByRole('row', { name: /^1600 – 1699/ })
    .getByRole('link')
    .first()
    .click()
  await page.locator('h1 .count', { hasText: /^9$/ }).waitFor()
  await page.getByRole('button', { name: 'Remove the filter: Discovery year 1600 – 1699' }).waitFor()
  await page.goBack()
  await page
    .getByRole('row', { name: /^no value/ })
    .getByRole('link')
    .first()
    .click()
  await page.locator('h1 .count', { hasText: /^1$/ }).waitFor()
  await page.getByRole('button', { name: 'Remove the filter: Discovery year = no value' }).waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: a filter leads to the summary by its property, and a second key divides the groups', async (t) => {
  const { page } = (await openDemoPage(t, 't/sol%3Amission?is.agency=NASA')) ?? {}
  if (page === undefined) return
  const kind = page.locator('.ask-property', { hasText: 'Kind' }).first()
  await kind.getByRole('button', { name: 'Summarise by this' }).click()
  await untilRow(page, 'orbiter')
  assert.match(page.url(), /view=summary&by=kind&is\.agency=NASA/)
  await page.getByLabel('And by').selectOption({ label: 'Status' })
  await page.getByRole('columnheader', { name: 'Status' }).waitFor()
  assert.match(page.url(), /by=value%3Akind&by=status/)
  assert.deepEqual(await violations(page), [])
})

test('explorer: a summary fits a narrow page in light and dark mode, and reads from right to left', async (t) => {
  for (const [colorScheme, locale] of [
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const) {
    const rest = 't/sol%3Amoon?view=summary&by=100%3AdiscoveryYear&by=orbits&of=avg%3AradiusKm'
    const viewport = { width: 320, height: 700 }
    const { page } = (await openDemoPage(t, rest, { viewport, colorScheme, locale })) ?? {}
    if (page === undefined) return
    await page.locator('.summary .drawn').first().waitFor()
    await page.locator('.summary polyline').first().waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    assert.deepEqual(await violations(page), [])
  }
})
