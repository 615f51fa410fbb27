/**
 * How long after a key the explorer has painted the first results: "kepler 22" is typed into the search of a world, and
 * each key is timed from its event to the frame after the results for what then stands in the box, debounce included.
 * Give the origin of a world that is being served, such as one of the 13,795 exoplanets; `--rounds N` for more rounds.
 */
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    text: { type: 'string', default: 'kepler 22' },
    /** Milliseconds between keys: a quick typist. */
    between: { type: 'string', default: '120' },
  },
})
const origin = positionals[0] ?? 'http://127.0.0.1:8080'

/** Runs in the page: notes for each key when the results for the box's new text have been painted. */
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

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
  ],
})
const times = new Map<string, number[]>()
for (let round = 0; round < Number(values.rounds); round++) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  await page.goto(`${origin}/#/w/${encodeURIComponent(origin)}/search?text=`)
  await page.getByLabel('Search this world').waitFor()
  await page.waitForLoadState('networkidle')
  await page.evaluate(WATCH)
  await page.getByLabel('Search this world').pressSequentially(values.text, { delay: Number(values.between) })
  // Not `waitForFunction`: it would need `eval`, which the page's policy forbids.
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
