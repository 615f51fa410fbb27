/** Runs `world explore` for tests in a browser. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { inWorld, untilQuiet, WAIT_MS } from './browser.ts'

/** Starts `world explore` for the world at `origin`. Returns the URL of the page. */
export async function exploring(context: TestContext, origin: string): Promise<string> {
  const ending = new AbortController()
  const stderr = new PassThrough()
  const ended = runWith(['explore', origin], { stderr, signal: ending.signal })
  context.after(async () => {
    ending.abort()
    await ended
  })
  for await (const chunk of stderr) {
    const url = /(http:\/\/127\.0\.0\.1:\d+)\/\n/.exec(String(chunk))?.[1]
    if (url) return url
  }
  throw new Error('it said no address')
}

/** Opens a page of a world and waits until it is settled and contains all of `seen`. Returns its text. */
export async function read(
  page: Page,
  explorer: string,
  origin: string,
  rest: string,
  seen: readonly (string | RegExp)[] = [],
): Promise<string> {
  await page.goto(`${explorer}/${inWorld(origin, rest)}`)
  await page.locator('main :is(h1, h2)').first().waitFor()
  await untilQuiet(page)
  for (const end = performance.now() + WAIT_MS; ; await page.waitForTimeout(100)) {
    const text = await page.locator('main').innerText()
    const missing = seen.filter((one) => text.match(one) === null)
    if (missing.length === 0) return text
    assert.ok(performance.now() < end, `${rest}: ${missing} is not in ${text}`)
  }
}
