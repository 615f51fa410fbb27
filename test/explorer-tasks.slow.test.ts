/**
 * Ten typical tasks, each of which starts at the home page of a world. Counts presses, fields and seconds. Selecting an
 * item from a list counts as two presses; typing text and pressing Enter counts as one field.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { demoWorld, inWorld, openBrowser, openPage } from './browser.ts'
import { BOOKS, demoData, madeWorld, PLANETS } from './made-world.ts'

const MOST_PRESSES = 4
const MOST_SECONDS = 10

/** Simulated user whose presses and fields are counted. */
class Visitor {
  readonly page: Page
  presses = 0
  fields = 0

  constructor(page: Page) {
    this.page = page
  }

  async press(target: Locator): Promise<void> {
    await target.click()
    this.presses += 1
  }

  /** Opens a type from its card on the home page. */
  async open(title: string): Promise<void> {
    await this.press(this.page.locator('.card h3').getByRole('link', { name: title, exact: true }))
  }

  async tab(name: string): Promise<void> {
    await this.press(this.page.getByRole('navigation', { name: 'Layout' }).getByRole('link', { name }))
  }

  async choose(label: string, choice: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).selectOption({ label: choice })
    this.presses += 2
  }

  async type(target: Locator, text: string): Promise<void> {
    await target.fill(text)
    await target.press('Enter')
    this.fields += 1
  }

  /** Sorts by a column in descending order, by pressing its header twice. */
  async sortDown(column: string): Promise<void> {
    const header = this.page.getByRole('columnheader', { name: column })
    await this.press(header.getByRole('button'))
    await this.page.locator('th[aria-sort=ascending]').waitFor()
    await this.press(header.getByRole('button'))
    await this.page.locator('th[aria-sort=descending]').waitFor()
    await this.settled()
  }

  /** Waits until the rows are those of the current query. */
  async settled(): Promise<void> {
    await this.page.locator('.list-body:not(.stale)[aria-busy=false]').waitFor()
  }

  async titles(number: number): Promise<string[]> {
    const cells = this.page.locator('.scroller tbody tr:not(.spacer) th a')
    await cells.nth(number - 1).waitFor()
    return (await cells.allInnerTexts()).slice(0, number)
  }
}

interface Task {
  readonly name: string
  readonly world: () => Promise<string>
  /** Performs the task and checks its result. */
  readonly run: (visitor: Visitor) => Promise<void>
}

const TASKS: readonly Task[] = [
  {
    name: 'the five heaviest planets under 10 parsecs',
    world: madeWorld,
    run: async (visitor) => {
      const near = PLANETS.filter(({ distancePc }) => distancePc <= 10)
      const heaviest = near.toSorted((a, b) => b.massEarths - a.massEarths).slice(0, 5)
      await visitor.open('Planet')
      await visitor.type(visitor.page.getByLabel('Distance: to'), '10')
      await visitor.page.locator('h1 .count', { hasText: String(near.length) }).waitFor()
      await visitor.sortDown('Mass')
      assert.deepEqual(
        await visitor.titles(5),
        heaviest.map(({ title }) => title),
      )
    },
  },
  {
    name: 'who discovered most moons',
    world: demoWorld,
    run: async (visitor) => {
      const found = (await demoData('moons')).flatMap(({ attributes }) =>
        ((attributes['discoverers'] ?? []) as { id: string }[]).map(({ id }) => id),
      )
      const [most] = [...Map.groupBy(found, (id) => id)].toSorted(([, a], [, b]) => b.length - a.length)
      const finders = await Promise.all(['people', 'missions', 'observatories'].map(demoData))
      const name = finders.flat().find(({ id }) => id === most?.[0])?.title
      await visitor.open('Moon')
      const facet = visitor.page.locator('.ask-property', { hasText: /^Discoverers(?!:)/ })
      await facet.waitFor()
      if (!(await facet.getAttribute('open').then((open) => open !== null)))
        await visitor.press(facet.locator('summary').first())
      await facet.locator('.values li').first().getByText(`${name}`).waitFor()
    },
  },
  {
    name: 'the books of an author by rating',
    world: madeWorld,
    run: async (visitor) => {
      const best = BOOKS.filter(({ author }) => author === 'Author 1').toSorted((a, b) => b.rating - a.rating)
      await visitor.open('Book')
      await visitor.press(visitor.page.getByRole('checkbox', { name: /^Author 1 / }))
      await visitor.page.locator('h1 .count', { hasText: String(best.length) }).waitFor()
      await visitor.sortDown('Rating')
      assert.deepEqual(
        await visitor.titles(5),
        best.slice(0, 5).map(({ title }) => title),
      )
    },
  },
  {
    name: 'all launches of a decade on a timeline',
    world: demoWorld,
    run: async (visitor) => {
      const sixties = (await demoData('missions')).filter(({ attributes }) =>
        String(attributes['launchDate']).startsWith('196'),
      )
      await visitor.open('Space mission')
      await visitor.tab('Timeline')
      const facet = visitor.page.locator('.ask-property', { hasText: 'Launch date' })
      await visitor.press(facet.locator('summary').first())
      await visitor.type(facet.getByLabel('Launch date: from'), '1960-01-01')
      await visitor.type(facet.getByLabel('Launch date: to'), '1969-12-31')
      await visitor.page
        .getByText(/^Launch date from .+ 196\d to .+ 1969/)
        .first()
        .waitFor()
      const events = visitor.page.getByRole('list', { name: /^Launch date/ }).getByRole('listitem')
      await events.nth(sixties.length - 1).waitFor()
      assert.equal(await events.count(), sixties.length)
    },
  },
  {
    name: 'the observatory nearest to a point',
    world: demoWorld,
    run: async (visitor) => {
      await visitor.open('Observatory')
      await visitor.type(visitor.page.getByLabel('Nearest to: latitude, longitude'), '48.86, 2.35')
      await visitor.page.getByRole('columnheader', { name: 'Distance' }).waitFor()
      await visitor.settled()
      assert.deepEqual(await visitor.titles(2), ['Paris Observatory', 'Meudon Observatory'])
    },
  },
  {
    name: 'what points to a planet',
    world: demoWorld,
    run: async (visitor) => {
      const moons = (await demoData('moons')).filter(
        ({ attributes }) => (attributes['orbits'] as { id: string }).id === 'saturn',
      )
      const { page } = visitor
      await page.getByLabel('Search this world').fill('saturn')
      visitor.fields += 1
      await visitor.press(page.getByRole('option', { name: /^Saturn/ }).first())
      const group = page.locator('.referrer-group', { hasText: 'Moon, in “Orbits”' })
      await group.locator('.count', { hasText: String(moons.length) }).waitFor()
    },
  },
  {
    name: 'mass against radius of moons',
    world: demoWorld,
    run: async (visitor) => {
      await visitor.open('Moon')
      await visitor.tab('Scatter plot')
      await visitor.page.getByText('Mass (× Earth) against Radius (km) · All 25 shown').waitFor()
    },
  },
  {
    name: 'the newest entries',
    world: demoWorld,
    run: async (visitor) => {
      await visitor.open('Person')
      await visitor.choose('Order', 'Created: newest first')
      await visitor.page.waitForURL(/sort=-createdAt/)
      await visitor.settled()
      assert.equal((await visitor.titles(5)).length, 5)
    },
  },
  {
    name: 'the share of one value',
    world: demoWorld,
    run: async (visitor) => {
      const missions = await demoData('missions')
      const own = missions.filter(({ attributes }) => attributes['agency'] === 'NASA').length
      await visitor.open('Space mission')
      const share = `${Math.round((100 * own) / missions.length)}%`
      await visitor.page.locator('.values li', { hasText: /^NASA/ }).first().getByText(share).waitFor()
    },
  },
  {
    name: 'a filtered table as a file',
    world: demoWorld,
    run: async (visitor) => {
      const { page } = visitor
      await visitor.open('Moon')
      await visitor.press(page.getByRole('checkbox', { name: /^Saturn 32/ }))
      await visitor.press(page.locator('.tools summary', { hasText: 'Download' }))
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        visitor.press(page.getByRole('button', { name: 'Download CSV 32' })),
      ])
      assert.equal((await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n').length, 33)
    },
  },
]

interface Outcome {
  readonly name: string
  readonly presses: number
  readonly fields: number
  readonly seconds: number
}

async function outcomeOf(browser: Browser, { name, world, run }: Task): Promise<Outcome> {
  const origin = await world()
  const { page, wrongs } = await openPage(browser, {
    viewport: { width: 1280, height: 860 },
    acceptDownloads: true,
  })
  const visitor = new Visitor(page)
  const begun = performance.now()
  await page.goto(`${origin}/${inWorld(origin)}`)
  await run(visitor)
  const seconds = (performance.now() - begun) / 1_000
  assert.deepEqual(wrongs, [], name)
  await page.context().close()
  return { name, presses: visitor.presses, fields: visitor.fields, seconds }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2
}

test('explorer: ten typical tasks take a median of at most four presses and ten seconds', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  await Promise.all([demoWorld(), madeWorld()])
  const outcomes: Outcome[] = []
  for (const task of TASKS) outcomes.push(await outcomeOf(browser, task))
  for (const { name, presses, fields, seconds } of outcomes)
    t.diagnostic(`${name}: ${presses} presses, ${fields} fields, ${seconds.toFixed(1)} s`)
  const all = {
    presses: median(outcomes.map((one) => one.presses)),
    seconds: median(outcomes.map((one) => one.seconds)),
  }
  t.diagnostic(`median: ${all.presses} presses, ${all.seconds.toFixed(1)} s`)
  assert.ok(all.presses <= MOST_PRESSES)
  assert.ok(all.seconds <= MOST_SECONDS)
  for (const { name, presses } of outcomes) assert.ok(presses <= MOST_PRESSES, `${name}: ${presses} presses`)
})
