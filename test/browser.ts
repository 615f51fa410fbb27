/**
 * Runs a real browser for tests of the explorer: Debian's Chromium or its headless shell, driven by playwright-core. The
 * headless shell needs only a third of the processor time.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { type Lifetime, serve } from './command.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const EXECUTABLE = process.env['CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium'

/** Makes the browser headless, without a sandbox (containers have none) and without network requests of its own. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Page timeout, in milliseconds, long enough for a busy machine. */
export const WAIT_MS = 90_000

/** Folder for screenshots; Git ignores it. */
export const SCREENSHOTS = join(ROOT, 'packages/explorer/screenshots')

/** Browser shared by all tests of the process, launched for the first test that needs it. */
let browser: Promise<Browser> | undefined

const ends: (() => unknown)[] = []
after(async () => {
  await (await browser)?.close()
  for (const end of ends.toReversed()) await end()
})
/** Lifetime of a process, shared by all its tests. An `after` hook set within a test would run at the end of that test. */
export const FILE: Lifetime = { after: (end) => void ends.push(end) }

/**
 * Returns the browser shared by all tests of the process. When the test ends, closes its pages, and prints their text if
 * the test failed. Without a browser, skips the test and returns undefined, or throws under `CI=true`.
 */
export async function openBrowser(context: TestContext): Promise<Browser | undefined> {
  if (!isPresentOrSkips(context, existsSync(EXECUTABLE), 'Chromium')) return undefined
  browser ??= chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
  const opened = await browser
  context.after(async () => {
    // `passed` is documented, but missing from the types.
    const { passed } = context as TestContext & { readonly passed: boolean }
    if (!passed) for (const said of await pagesOf(opened)) context.diagnostic(said)
    await Promise.all(opened.contexts().map((own) => own.close()))
  })
  return opened
}

/** Returns the visible text of each open page, since the error of a failed wait does not contain it. */
function pagesOf(opened: Browser): Promise<string[]> {
  const pages = opened.contexts().flatMap((own) => own.pages())
  return Promise.all(
    pages.map(async (page) => {
      const shown = await page.evaluate('document.body?.innerText ?? ""').catch((error) => `(${error})`)
      return `At ${page.url()} it showed:\n${String(shown).slice(0, 3_000)}`
    }),
  )
}

/** A page, with a record of its faults and requests. */
export interface Watched {
  readonly page: Page
  /** Uncaught errors, dialogs, and violations of the page's content security policy, as text. */
  readonly wrongs: string[]
  /** URLs of all requests of the page. */
  readonly requests: string[]
}

/** Requests of each page that are under way, without event streams, which stay open. */
const underWay = new WeakMap<Page, Set<Request>>()

/** Opens a page and records its faults and requests. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const wrongs: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => wrongs.push(`error: ${error.message}`))
  page.on('dialog', async (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content.Security.Policy|TrustedHTML|TrustedScript/i.test(message.text()))
      wrongs.push(`policy: ${message.text()}`)
  })
  const waiting = new Set<Request>()
  underWay.set(page, waiting)
  page.on('request', (request) => {
    requests.push(request.url())
    if (request.headers()['accept'] !== 'text/event-stream') waiting.add(request)
  })
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => waiting.delete(request))
  return { page, wrongs, requests }
}

/** Axe reads the colour of texts from a property that Chromium draws, but does not report, in forced colours. No style sets it. */
const AXE = axe.source.replaceAll('-webkit-text-fill-color', 'color')

/** Returns the violations that axe finds on the settled page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.locator('.stale').first().waitFor({ state: 'detached' })
  // A colour on its way to another one may have too little contrast.
  await page.evaluate(
    'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
  )
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE)
  const { violations: found } = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] })",
  )) as AxeResults
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/**
 * Waits until `code` evaluates to `expected` on the page, since effects, such as those that move the focus, run after the next
 * frame. Polls, because the policy forbids `eval`, which `waitForFunction` needs.
 */
export async function untilReads(page: Page, code: string, expected: unknown): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await setTimeout(20))
    if ((await page.evaluate(code)) === expected) return
  assert.equal(await page.evaluate(code), expected)
}

/** Time without requests after which a page is quiet, in milliseconds. */
const QUIET_MS = 500

/** Waits until a page of `openPage` asks for nothing more. It may still follow the changes of its world. */
export async function untilQuiet(page: Page): Promise<void> {
  const end = Date.now() + WAIT_MS
  for (let since = Date.now(); Date.now() - since < QUIET_MS; await setTimeout(20)) {
    const open = [...(underWay.get(page) ?? assert.fail('not of openPage'))]
    assert.ok(Date.now() < end, `still under way: ${open.map((request) => request.url())}`)
    if (open.length > 0) since = Date.now()
  }
}

/** Waits until `count` images are visible. */
export async function untilImagesShow(page: Page, selector: string, count: number): Promise<void> {
  const shown = `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((image) => image.naturalWidth > 0).length`
  await untilReads(page, shown, count)
}

/** Saves a screenshot of the visible part of the page. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

/** Returns the URL fragment of a page within a world. */
export function inWorld(origin: string, rest = ''): string {
  return `#/w/${encodeURIComponent(origin)}/${rest}`
}

/** Returns the URL of a store in a temporary folder, which is removed at the end of `lifetime`. */
export async function temporaryStore(lifetime: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  lifetime.after(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'world.db')}`
}

/** Demo world shared by all tests of the process, started for the first test that needs it. */
let demo: Promise<string> | undefined

/** Returns the origin of the demo world with the explorer. All tests of the process share it, so they must not change it. */
export function demoWorld(): Promise<string> {
  demo ??= temporaryStore(FILE).then(async (store) => {
    const { origin } = await serve(FILE, 'examples/solar-system', '--store', store, '--workers', '1')
    return origin
  })
  return demo
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Returns the URL of the explorer on a plain file server that all tests of the process share. */
export function explorerFiles(): Promise<string> {
  files ??= startFiles()
  return files
}

let files: Promise<string> | undefined

async function startFiles(): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '', 'http://files').pathname.replace(/^\/some\/folder\//, '')
    try {
      const bytes = await readFile(join(ROOT, 'packages/explorer/dist', path === '' ? 'index.html' : path))
      response.setHeader('content-type', TYPES[extname(path || 'index.html')] ?? 'application/octet-stream')
      response.end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  FILE.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/`
}

/** Opens a watched page of the demo world. `rest` is the path within the world. Returns undefined without a browser. */
export async function openDemoPage(context: TestContext, rest: string, options: BrowserContextOptions = {}) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const origin = await demoWorld()
  const watched = await openPage(browser, options)
  await watched.page.goto(`${origin}/${inWorld(origin, rest)}`)
  return watched
}
