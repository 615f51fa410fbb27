import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { explorerFiles, inWorld, openBrowser, openPage, untilQuiet } from './browser.ts'
import { discovery, type FakeRoute, fakeWorld, say } from './fake-world.ts'
import { assertHarmless, entityOf, HOSTILE_TEXTS, isAddressable } from './hostile-texts.ts'

/** Number of pages to visit between two assertions. */
const A_FEW = 25

function hostileWorld(texts: readonly string[]): FakeRoute[] {
  const entities = texts.map(entityOf)
  const one = (index: number) => texts[index % texts.length] ?? ''
  const properties = Object.fromEntries(
    ['text', 'link', 'script', 'picture', 'list'].map((name, index) => [
      name,
      { title: one(index), description: one(index + 1), format: one(index + 2), unit: one(index + 3) },
    ]),
  )
  const document = {
    world: { id: one(0), name: one(1), description: one(2) },
    entityTypes: [
      { type: 'h:thing', title: one(0), description: one(1), schema: { type: 'object', properties } },
      ...texts.map((text) => ({
        type: text,
        title: text,
        description: text,
        schema: { properties: { [text]: { $ref: text } } },
      })),
    ],
    actions: texts.map((text) => ({
      name: text,
      title: text,
      description: text,
      inputSchema: {
        properties: {
          [text]: { type: 'string', title: text, description: text, enum: [text], default: text },
        },
      },
    })),
    limits: Object.fromEntries(texts.map((text) => [text, text])),
    extensions: Object.fromEntries(texts.map((text) => [text, { [text]: text }])),
    revision: one(3),
  }
  return [
    discovery(document),
    (path, response, request) => {
      const [, type, id] = /^\/api\/entities\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
      if (type === undefined) return false
      if (id === undefined) {
        // Only the list under test is long. Long lists of all types would take megabytes.
        const limit = type === 'h%3Athing' && request.url?.includes('limit=100') ? entities.length : 4
        return say(response, 200, { entities: entities.slice(0, limit), total: entities.length, limit })
      }
      const found = entities.find((entity) => entity.id === decodeURIComponent(id) && type === 'h%3Athing')
      if (found !== undefined) return say(response, 200, found)
      const text = decodeURIComponent(id)
      return say(response, 400, { code: text, message: text, requestId: text, details: { [text]: text } })
    },
    (path, response) =>
      path.startsWith('/api/actions/') &&
      say(response, 200, {
        output: {
          entities: entities.slice(0, 100),
          total: entities.length,
          counts: { 'h:thing': 1 },
          matched: texts,
          truncated: true,
        },
        warnings: texts.map((text) => ({ code: text, message: text })),
      }),
  ]
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.locator('main h1').first().waitFor()
}

/**
 * Visits pages one after another, as if by links, and waits until each page is drawn. Runs in the page, because polling
 * from outside would take longer than drawing.
 */
async function walk(stops: readonly (readonly [hash: string, sign: string])[]): Promise<void> {
  const { document, location, requestAnimationFrame } = globalThis as unknown as BrowserPage
  for (const [hash, sign] of stops) {
    const left = document.querySelector('main h1')
    location.hash = hash
    const arrived = () => document.querySelector('main h1') !== left && document.querySelector(`main ${sign}`)
    do await new Promise(requestAnimationFrame)
    while (!arrived())
  }
}

/** The parts of the browser's global object that `walk` uses. */
interface BrowserPage {
  readonly document: { querySelector(selector: string): object | null }
  readonly location: { hash: string }
  requestAnimationFrame(done: (time: unknown) => void): void
}

test('explorer: none of 300 hostile texts in fields, ids, titles and errors runs or reaches the network', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  // Use the plain files, because a served page contains a script element, which describes the world.
  const page = (await explorerFiles()).replace(/\/$/, '')
  const { origin } = await fakeWorld(t, ...hostileWorld(HOSTILE_TEXTS))
  const watched = await openPage(browser)
  const origins = [new URL(page).origin, origin]

  await watched.page.goto(`${page}/${inWorld(origin)}`)
  await watched.page.locator('.card').first().waitFor()
  await assertHarmless(watched, origins, 'home')
  for (const rest of [
    'search?text=x',
    't/h%3Athing?view=table',
    't/h%3Athing?view=list',
    't/h%3Athing?view=gallery',
    't/h%3Athing?view=map',
    'about',
  ]) {
    await go(watched.page, inWorld(origin, rest))
    await untilQuiet(watched.page)
    await assertHarmless(watched, origins, rest)
  }
  const kinds = [
    (text: string, index: number) => ['e/h%3Athing/', entityOf(text, index).id, '.reference-graph'] as const,
    (text: string) => ['e/x%3Aerror/', text, '.failure'] as const,
    (text: string) => ['a/', text, '.action-form'] as const,
  ]
  const visitAll = async (kind: (text: string, index: number) => readonly [string, string, string]) => {
    const own = await openPage(browser)
    // Once the reference graph is opened for one entity, it is open for all.
    await own.page.goto(
      `${page}/${inWorld(origin, `e/h%3Athing/n${HOSTILE_TEXTS.findIndex((text) => !isAddressable(text))}`)}`,
    )
    await own.page.getByRole('heading', { name: 'Graph of references' }).click()
    await own.page.locator('.reference-graph').waitFor()
    const stops = HOSTILE_TEXTS.map(kind).filter(([, id]) => isAddressable(id))
    for (let index = 0; index < stops.length; index += A_FEW) {
      const few = stops.slice(index, index + A_FEW)
      await own.page.evaluate(
        walk,
        few.map(([section, id, sign]) => [inWorld(origin, section + encodeURIComponent(id)), sign] as const),
      )
      await assertHarmless(own, origins, few.map(([section, id]) => section + id).join('\n'))
    }
  }
  await Promise.all(kinds.map(visitAll))
})
