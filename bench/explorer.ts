/**
 * Measures the latency from keystroke to painted results in the explorer: types "kepler 22" into the search box and
 * times each key from its event to the frame after the results for the current text, debounce included. Takes the origin
 * of a running world, such as the one with 13,795 exoplanets; `--rounds N` sets the number of rounds.
 *
 * Before that, measures a first visit on slow 4G with an empty cache: the time to the first contentful paint and to the
 * heading, for the home page, for an entity (`--entity TYPE/ID`) and for the list of its type.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    text: { type: 'string', default: 'kepler 22' },
    /** Interval between keys, in milliseconds: that of a fast typist. */
    between: { type: 'string', default: '120' },
    /** Entity whose page and list are opened over the slow connection. Without it, only the home page is opened. */
    entity: { type: 'string' },
  },
})
const origin = positionals[0] ?? 'http://127.0.0.1:8080'

/** Page script that records when the results for each new text of the search box were painted. */
const WATCH = `
  window.times = []
  const box = document.getElementById('search')
  let key = 0
  box.addEventListener('keydown', (event) => { key = event.timeStamp }, true)
  box.addEventListener('input', () => {
    const [begun, wanted] = [key, box.value]
    const look = () => {
      const line = document.querySelector('.result-line')?.textContent ?? ''
      if (line.includes('“' + wanted + '”') && !document.querySelector('[aria-busy=true]')) {
        // The frame after this one begins when this one is on the screen.
        requestAnimationFrame(() => window.times.push([wanted, performance.now() - begun]))
      } else if (box.value === wanted) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
`

/** Paths of Chromium on Debian, starting with the headless shell. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? PLACES.find(existsSync) ?? 'chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
  ],
})
/** Slow 4G profile: 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip; the processor is not throttled. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

/** Measures the time from navigation to the first contentful paint and to the page's heading, in milliseconds. */
async function firstPaint(rest: string): Promise<{ readonly paint: number; readonly heading: number }> {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  const line = await page.context().newCDPSession(page)
  await line.send('Network.enable')
  await line.send('Network.emulateNetworkConditions', SLOW_4G)
  await page.goto(`${origin}/#/w/${encodeURIComponent(origin)}/${rest}`, { waitUntil: 'commit' })
  await page.locator('main h1').waitFor()
  const heading = Number(await page.evaluate('performance.now()'))
  const paint = Number(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
  )
  await page.context().close()
  return { paint, heading }
}

const [type, id] = values.entity?.split('/').map(encodeURIComponent) ?? []
for (const [name, rest] of Object.entries({
  home: '',
  ...(id !== undefined && { list: `t/${type}`, entity: `e/${type}/${id}` }),
})) {
  const seen: { readonly paint: number; readonly heading: number }[] = []
  for (let round = 0; round < Number(values.rounds); round++) seen.push(await firstPaint(rest))
  const middle = (part: 'paint' | 'heading') => {
    const sorted = seen.map((one) => Math.round(one[part])).toSorted((a, b) => a - b)
    return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)}) ms`
  }
  process.stdout.write(
    `${name} on slow 4G, empty cache: first paint ${middle('paint')}, heading ${middle('heading')}; median (range) of ${seen.length}\n`,
  )
}

const times = new Map<string, number[]>()
for (let round = 0; round < Number(values.rounds); round++) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  await page.goto(`${origin}/#/w/${encodeURIComponent(origin)}/search?text=`)
  await page.getByLabel('Search this world').waitFor()
  await page.locator('.search-page[aria-busy=false]').waitFor()
  await page.evaluate(WATCH)
  await page.getByLabel('Search this world').pressSequentially(values.text, { delay: Number(values.between) })
  // `waitForFunction` needs `eval`, which the page's policy forbids.
  while ((await page.evaluate('window.times.at(-1)?.[0]')) !== values.text) await page.waitForTimeout(20)
  const painted = (await page.evaluate('window.times')) as [string, number][]
  for (const [text, ms] of painted) times.set(text, [...(times.get(text) ?? []), ms])
  await page.context().close()
}
await browser.close()

const all = [...times.values()].flat().toSorted((a, b) => a - b)
const at = (part: number) => (all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? 0).toFixed(0)
const lines = [...times].map(([text, list]) => {
  const sorted = list.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return `| ${text} | ${sorted.length} | ${median.toFixed(0)} | ${(sorted.at(-1) ?? 0).toFixed(0)} |`
})
process.stdout.write(
  [
    '| in the box | painted | median ms | slowest ms |',
    '|---|---|---|---|',
    ...lines,
    '',
    `${all.length} keys: median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, slowest ${at(1)} ms`,
    '',
  ].join('\n'),
)
