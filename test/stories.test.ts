import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FILE, keepScreenshot, openBrowser, openPage, untilImagesShow, violations } from './browser.ts'
import { serve } from './command.ts'
import { ROOT } from './source-files.ts'

const LIGHT = '#9a4a00'
const SCHEMES = { light: 'rgb(154, 74, 0)', dark: 'rgb(245, 178, 107)' } as const

let started: Promise<string> | undefined

/** Returns the origin of a world with a picture, a logo, an accent and a story. All tests of this file share it. */
function storiedWorld(): Promise<string> {
  started ??= startStoriedWorld()
  return started
}

async function startStoriedWorld(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  FILE.after(() => rm(folder, { recursive: true, force: true }))
  const pictures = join(ROOT, 'examples/solar-system/pictures')
  await cp(join(pictures, 'saturn.webp'), join(folder, 'hero.webp'))
  await cp(join(pictures, 'io.webp'), join(folder, 'logo.webp'))
  await mkdir(join(folder, 'stories'))
  const look = `look: { picture: hero.webp, logo: logo.webp, accent: { light: "${LIGHT}", dark: "#f5b26b" } }`
  await writeFile(
    join(folder, 'world.yaml'),
    `name: Moons\ndescription: A few moons.\n${look}\nsources: [moons.ndjson]\n`,
  )
  await writeFile(
    join(folder, 'moons.ndjson'),
    '{"type":"sol:moon","id":"io","title":"Io","attributes":{"radius":1821,"kind":"rocky"}}\n{"type":"sol:moon","id":"rhea","title":"Rhea","attributes":{"radius":764,"kind":"icy"}}\n',
  )
  const blocks = ['/v/sol%3Amoon?sort=-radius', '/v/sol%3Amoon?view=summary&by=kind', 'sol:moon/io']
  const text = blocks.map((block) => `\n\`\`\`view\n${block}\n\`\`\`\n`).join('')
  await writeFile(
    join(folder, 'stories/tour.md'),
    `---\nfeatured: true\n---\n\n# A tour of moons\n\nThere are two.\n\n## Largest first\n${text}`,
  )
  return (await serve(FILE, folder, '--workers', '1')).origin
}

const colorOf = (selector: string) => `getComputedStyle(document.querySelector('${selector}')).color`
const heightOf = (selector: string) => `document.querySelector('${selector}').getBoundingClientRect().height`

for (const [colorScheme, accent] of Object.entries(SCHEMES)) {
  test(`a home page and a story without scripts are accessible, in the accent (${colorScheme})`, async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const scheme = colorScheme as 'light' | 'dark'
    // Axe needs scripts, but the page itself gets none that the world could run.
    const { page, wrongs } = await openPage(browser, { colorScheme: scheme, bypassCSP: true })
    const origin = await storiedWorld()
    await page.goto(`${origin}/s/tour`)
    assert.equal(await page.locator('figure table').count(), 2)
    assert.equal(await page.evaluate(colorOf('figcaption a')), accent)
    assert.deepEqual(await violations(page), [])
    await keepScreenshot(page, `story-${scheme}`)

    const { page: plain, requests } = await openPage(browser, {
      colorScheme: scheme,
      javaScriptEnabled: false,
    })
    await plain.goto(origin)
    await plain.getByRole('link', { name: 'A tour of moons' }).waitFor()
    assert.equal(await plain.locator('.top-bar').isVisible(), false)
    await plain.getByRole('link', { name: 'A tour of moons' }).click()
    await plain.getByRole('heading', { name: 'Largest first' }).waitFor()
    assert.deepEqual(wrongs, [])
    assert.ok(
      requests.every((url) => url.startsWith(origin)),
      requests.join('\n'),
    )
  })

  test(`the explorer shows picture, logo and story in place, in the accent (${colorScheme})`, async (t) => {
    const browser = await openBrowser(t)
    if (browser === undefined) return
    const scheme = colorScheme as 'light' | 'dark'
    // Without motion, colours change at once.
    const { page, wrongs } = await openPage(browser, { colorScheme: scheme, reducedMotion: 'reduce' })
    const origin = await storiedWorld()
    // Without the pictures the page has the same room for them.
    let wait = true
    const held: (() => void)[] = []
    await page.route('**/_pages/*.webp', async (route) => {
      if (wait) await new Promise<void>((go) => held.push(go))
      await route.continue()
    })
    await page.goto(origin)
    const story = page.getByRole('link', { name: 'A tour of moons' })
    await story.waitFor()
    const before = [await page.evaluate(heightOf('.picture')), await page.evaluate(heightOf('.hero'))]
    wait = false
    for (const go of held) go()
    await untilImagesShow(page, '.hero img', 2)
    const after = [await page.evaluate(heightOf('.picture')), await page.evaluate(heightOf('.hero'))]
    assert.deepEqual([after, before[0]], [before, 256])
    const [red = 0, green = 0, blue = 0] = channelsIn(String(await page.evaluate(shownColor('.hero a'))))
    const expected = channelsIn(accent)
    for (const [at, channel] of [red, green, blue].entries())
      assert.ok(Math.abs(channel - (expected[at] ?? 0)) <= 1, `${[red, green, blue]} is not ${accent}`)
    assert.equal(await page.locator('.card h3 a').last().textContent(), 'A tour of moons')
    await page.locator('.card').first().scrollIntoViewIfNeeded()
    await page.locator('.card .chip').first().waitFor()
    assert.deepEqual(await violations(page), [])
    await keepScreenshot(page, `face-${scheme}`)
    await story.click()
    await page.getByRole('heading', { level: 1, name: 'A tour of moons' }).waitFor()
    assert.deepEqual(wrongs, [])
  })
}

/** Returns a program for the browser that draws the colour of an element, since it is computed in another colour space. */
function shownColor(selector: string): string {
  return `(() => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d')
    pen.fillStyle = ${colorOf(selector)}
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data].join(', ')
  })()`
}

function channelsIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(Number).slice(0, 3)
}
