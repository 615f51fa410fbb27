import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  demoWorld,
  inWorld,
  keepScreenshot,
  openBrowser,
  openPage,
  untilQuiet,
  untilReads,
  violations,
} from './browser.ts'
import { discovery, type FakeRoute, fakeWorld, say } from './fake-world.ts'

/** Opens a fake world with these routes in the explorer of the demo world. */
async function sentTo(context: TestContext, rest: string, ...routes: FakeRoute[]) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const [page, { origin, asked }] = [await demoWorld(), await fakeWorld(context, ...routes)]
  const watched = await openPage(browser)
  await watched.page.goto(`${page}/${inWorld(origin, rest)}`)
  return { ...watched, origin, asked }
}

const seen = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** Returns a route that never answers requests that match. */
const silent =
  (pattern: RegExp): FakeRoute =>
  (path) =>
    pattern.test(path)

for (const [name, title, route] of [
  ['a page that is no world', 'This is not a world', (_, response) => response.end('<h1>hello</h1>') && true],
  [
    'JSON that is no world',
    'This is not a world',
    (path, response) => path === '/.well-known/world.json' && say(response, 200, { name: 'x' }),
  ],
  ['nothing at the fixed path', 'This is not a world', (_, response) => say(response, 404, {})],
  ['another version', 'This world speaks another version', discovery({ protocol: 'world/9.0' })],
  [
    'an answer without CORS',
    'No answer came',
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}') && true,
  ],
  [
    'the document itself is refused',
    'This world refuses',
    (_, response) => say(response, 401, { code: 'unauthenticated', message: 'who?' }),
  ],
  [
    'a fault',
    'The world has a fault',
    (_, response) => say(response, 500, { code: 'internal_error', message: 'x' }),
  ],
] as [string, string, FakeRoute][]) {
  test(`explorer: the failure page names the cause: ${name}`, async (t) => {
    const routes =
      name === 'an answer without CORS' || name.startsWith('a page') ? [withoutCors(route)] : [route]
    const sent = await sentTo(t, '', ...routes)
    if (sent === undefined) return
    await sent.page.getByRole('heading', { name: title }).waitFor()
    await sent.page.getByRole('button', { name: 'Try again' }).waitFor()
    await sent.page.getByRole('link', { name: 'Open another world' }).first().waitFor()
    assert.deepEqual(await violations(sent.page), [])
    await keepScreenshot(sent.page, `failure-${name.replaceAll(' ', '-')}`)
    assert.deepEqual(sent.wrongs, [])
  })
}

function withoutCors(route: FakeRoute): FakeRoute {
  return (path, response, request) => {
    // Without CORS, the explorer could not tell an HTML page from a failed connection.
    if (path === '/.well-known/world.json' && request.headers.origin !== undefined) {
      const end = response.end.bind(response)
      response.end = ((body: string) => {
        if (body.startsWith('<')) response.setHeader('access-control-allow-origin', '*')
        return end(body)
      }) as typeof response.end
    }
    return route(path, response, request)
  }
}

test('explorer: the failure page reports that no server is running', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser)
  await page.goto(`${await demoWorld()}/${inWorld('http://127.0.0.1:9')}`)
  await page.getByRole('heading', { name: 'No answer came' }).waitFor()
})

test('explorer: the failure page reports that the browser is offline, and recovers', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  const { page } = await openPage(browser)
  const origin = await demoWorld()
  await page.goto(`${origin}/${inWorld(origin)}`)
  await page.getByRole('heading', { name: 'Sol' }).waitFor()
  await page.context().setOffline(true)
  await page.evaluate(`location.hash = ${JSON.stringify(inWorld(origin, 'e/sol%3Aplanet/mars'))}`)
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await page.context().setOffline(false)
  // No click is needed, since the browser reports that the network is back.
  await page.getByRole('heading', { name: 'Mars' }).waitFor()
})

test('explorer: the retry button counts down the Retry-After delay', async (t) => {
  const busy: FakeRoute = (path, response) =>
    path.startsWith('/api/entities/') &&
    say(response, 429, { code: 'rate_limited', message: 'slow down' }, { 'retry-after': '40' })
  const sent = await sentTo(t, 'e/f%3Athing/1', discovery(), busy)
  if (sent === undefined) return
  await sent.page.getByRole('heading', { name: 'The world asks you to wait' }).waitFor()
  const button = sent.page.getByRole('button', { name: /^Try again in \d+ s/ })
  await button.waitFor()
  assert.equal(await button.isDisabled(), true)
  assert.equal(sent.asked.filter((path) => path.includes('/entities/')).length, 1)
})

test('explorer: while the client waits as Retry-After demands, the page reports the delay', async (t) => {
  const busy: FakeRoute = (path, response) =>
    path.startsWith('/api/entities/') &&
    say(response, 429, { code: 'rate_limited', message: 'slow down' }, { 'retry-after': '15' })
  const sent = await sentTo(t, 'e/f%3Athing/1', discovery(), busy)
  if (sent === undefined) return
  await seen(sent.page, /^127\.0\.0\.1:\d+ asks us to wait: trying again in 1\d s\.$/)
  assert.deepEqual(await violations(sent.page), [])
})

test('explorer: while a world does not answer, the page stays responsive, and the wait can be cancelled', async (t) => {
  const sent = await sentTo(t, '', silent(/./))
  if (sent === undefined) return
  const { page } = sent
  await seen(page, /Waiting for 127\.0\.0\.1:\d+, \d+ s so far/)
  const frames = await page.evaluate(
    'new Promise((go) => { let n = 0; const step = () => ++n < 30 ? requestAnimationFrame(step) : go(n); step() })',
  )
  assert.equal(frames, 30)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await seen(page, 'Stopped.')
})

test('explorer: during an endless search, the page stays usable, and the next input takes effect', async (t) => {
  let searches = 0
  const slowOnce: FakeRoute = (path, response) => {
    if (!path.startsWith('/api/actions/')) return false
    searches += 1
    // The search for the first letter is never answered.
    if (searches === 2) return true
    const entities = [{ type: 'f:thing', id: '1', title: 'Found at last', attributes: {} }]
    return say(response, 200, {
      output: { entities, total: 1, counts: { 'f:thing': 1 }, matched: ['found'] },
    })
  }
  const list: FakeRoute = (path, response) =>
    path.startsWith('/api/entities/') && say(response, 200, { entities: [], total: 0, limit: 1 })
  const sent = await sentTo(t, '', discovery(), slowOnce, list)
  if (sent === undefined) return
  const { page } = sent
  await page.getByRole('heading', { name: 'Fake' }).waitFor()
  await untilQuiet(page)
  await page.getByLabel('Search this world').pressSequentially('found', { delay: 60 })
  await page.getByRole('option', { name: 'Found at last' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Found at last' }).waitFor()
  await untilReads(page, 'document.activeElement.id', 'search')
})

test('explorer: an unsafe action runs once per press, even after Back and Forward', async (t) => {
  let runs = 0
  const action: FakeRoute = (path, response) => {
    if (!path.startsWith('/api/actions/')) return false
    runs += 1
    return say(response, 200, { output: { run: runs } })
  }
  const sent = await sentTo(t, 'a/f%3Alaunch', discovery(), action)
  if (sent === undefined) return
  const { page } = sent
  const answer = page.getByRole('heading', { name: 'Answer' })
  await page.getByRole('button', { name: 'Run' }).click()
  await page.waitForURL(/input=/)
  await answer.waitFor()
  await page.goBack()
  await answer.waitFor({ state: 'detached' })
  await page.goForward()
  await page.waitForURL(/input=/)
  await untilQuiet(page)
  assert.equal(runs, 1)
  await page.getByRole('button', { name: 'Run' }).click()
  await answer.waitFor()
  assert.equal(runs, 2)
})

test('explorer: if the cursor of a list has expired, the list restarts at its beginning', async (t) => {
  const list: FakeRoute = (path, response, request) => {
    if (!path.startsWith('/api/entities/')) return false
    if (request.url?.includes('cursor=')) return say(response, 400, { code: 'invalid_cursor', message: 'no' })
    return say(response, 200, {
      entities: [{ type: 'f:thing', id: '1', title: 'One', attributes: {} }],
      total: 1,
      limit: 1,
    })
  }
  const sent = await sentTo(t, 't/f%3Athing?cursor=old&before=100', discovery(), list)
  if (sent === undefined) return
  await sent.page.getByRole('heading', { name: 'This place in the list is gone' }).waitFor()
  await sent.page.getByRole('button', { name: 'Try again' }).click()
  await sent.page.getByRole('link', { name: 'One' }).waitFor()
})
