/**
 * A real browser for the tests of the explorer: Debian's Chromium, driven by playwright-core. Its headless shell, which has
 * no windows, takes a third of the processor time of the whole browser; either works.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import axe, { type AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type Lifetime, serve } from './command.ts'
import { ROOT } from './source-files.ts'

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const EXECUTABLE = process.env['CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium'

/** Headless, without a sandbox (containers have none), and silent: the browser itself sends no requests. */
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

/** Maximum wait for a page to show something, in milliseconds, generous for a busy machine. */
export const WAIT_MS = 90_000

/** Folder for screenshots; not part of the repository. */
export const SCREENSHOTS = join(ROOT, 'packages/explorer/screenshots')

/** Browser shared by the tests of a process, launched by the first that needs it. */
let browser: Promise<Browser> | undefined

const ends: (() => unknown)[] = []
after(async () => {
  await (await browser)?.close()
  for (const end of ends.toReversed()) await end()
})
/** Lifetime of all tests of a process. A hook set while a test runs would end with that test. */
export const FILE: Lifetime = { after: (end) => void ends.push(end) }

/**
 * Returns the browser shared by all tests of a process. The test's pages are closed when it ends, and their text is printed if
 * it failed. If there is no browser, skips the test and returns undefined; under `CI=true` a missing browser is a failure.
 */
export async function openBrowser(context: TestContext): Promise<Browser | undefined> {
  if (!existsSync(EXECUTABLE)) {
    if (process.env['CI'] === 'true') throw new Error(`there is no browser at ${EXECUTABLE}`)
    context.skip(`there is no browser at ${EXECUTABLE}`)
    return undefined
  }
  browser ??= chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS })
  const opened = await browser
  context.after(async () => {
    // Documented, but missing in the types.
    const { passed } = context as TestContext & { readonly passed: boolean }
    if (!passed) for (const said of await pagesOf(opened)) context.diagnostic(said)
    await Promise.all(opened.contexts().map((own) => own.close()))
  })
  return opened
}

/** Returns the visible text of each page, which a failed wait does not report. */
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
  /** Uncaught errors, dialogs and violations of the page's policy, as text. */
  readonly wrongs: string[]
  /** URLs of all requests. */
  readonly requests: string[]
}

/** Opens a page and records its faults and its requests. */
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
  page.on('request', (request) => requests.push(request.url()))
  return { page, wrongs, requests }
}

/** Returns the violations that axe finds once the page is settled, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.locator('.stale').first().waitFor({ state: 'detached' })
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source)
  const { violations: found } = (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] })",
  )) as AxeResults
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

/** Waits until `count` images of a selector show; polls, because `waitForFunction` needs `eval`, which the policy forbids. */
export async function untilImagesShow(page: Page, selector: string, count: number): Promise<void> {
  const shown = `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((image) => image.naturalWidth > 0).length`
  const end = Date.now() + WAIT_MS
  while ((await page.evaluate(shown)) !== count) {
    if (Date.now() > end) throw new Error(`${count} images of ${selector} do not show`)
    await setTimeout(20)
  }
}

/** Saves a screenshot of the page as it is visible. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
}

/** Returns the URL fragment of a page of a world. */
export function inWorld(origin: string, rest = ''): string {
  return `#/w/${encodeURIComponent(origin)}/${rest}`
}

/** Returns the URL of a store in a folder that is removed after the test, or after all tests of a process. */
export async function temporaryStore(lifetime: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  lifetime.after(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'world.db')}`
}

/** Demo world shared by the tests of a process, started by the first that needs it. */
let demo: Promise<string> | undefined

/** Returns the origin of the demo world with the explorer, shared by all tests of a process: none of them changes it. */
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

/** Returns the URL of the explorer's files in a folder of a plain file server, shared by all tests of a process. */
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

/** Opens a watched page of the demo world; `rest` is the address after the world. Undefined if there is no browser. */
export async function openDemoPage(context: TestContext, rest: string, options: BrowserContextOptions = {}) {
  const browser = await openBrowser(context)
  if (browser === undefined) return undefined
  const origin = await demoWorld()
  const watched = await openPage(browser, options)
  await watched.page.goto(`${origin}/${inWorld(origin, rest)}`)
  return watched
}
