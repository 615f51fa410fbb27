/** Answers to questions in the explorer's search, over the demo world. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDemoPage, untilQuiet, violations } from './browser.ts'

/** Questions, and the text of their answers. */
const QUESTIONS = [
  ['largest moon of Saturn', /Moon · Radius ↓.*Orbits = Saturn.*Titan.2,574/s],
  ['größter Mond', /Moon · Radius ↓.*Ganymede.2,634/s],
  ['how many moons does Jupiter have', /25 results.*Orbits = Jupiter/s],
  ['moons larger than 1000 km', /7 results.*Radius > 1000.*Callisto/s],
  ['missions launched before 1960', /Space mission.*Launch date ≤.*1959/s],
  ['asteroids per orbit class', /Asteroid · Orbit class.*main belt.25/s],
  ['Which agency flew the most missions?', /Space mission · Agency · How many ↓.*NASA.62/s],
  ['Who discovered Triton?', /Moon · Discoverers.*Triton.*William Lassell/s],
  ['Which is hotter, Mercury or Venus?', /Planet · Mean temperature.*Mercury.167.*Venus.464/s],
] as const

test('explorer: questions are answered above the hits, and lead to the list, where they can be corrected', async (t) => {
  const { page, wrongs } = (await openDemoPage(t, 'search')) ?? {}
  if (page === undefined) return
  const answer = page.getByRole('region', { name: 'Answer' })
  const box = page.locator('#search')
  for (const [text, expected] of QUESTIONS) {
    await box.fill(text)
    await answer.filter({ hasText: expected }).waitFor()
  }
  assert.deepEqual(await violations(page), [])
  await box.fill('moons of Saturn larger than 500 km')
  await answer.getByText('Titan').waitFor()
  await answer.getByRole('link', { name: 'Moon', exact: true }).click()
  await page.getByRole('button', { name: /Radius > 500/ }).click()
  await page.waitForURL(/t\/sol%3Amoon\?is\.orbits=sol%3Aplanet%2Fsaturn$/)
  await page.getByRole('button', { name: /Orbits = Saturn/ }).waitFor()
  assert.deepEqual(wrongs, [])
})

test('explorer: a question that is not understood has no answer, and one goes away while typing on', async (t) => {
  const { page } = (await openDemoPage(t, 'search?text=largest%20moon')) ?? {}
  if (page === undefined) return
  const answer = page.getByRole('region', { name: 'Answer' })
  await answer.waitFor()
  for (const text of ['largset moon', 'moons without rings', 'second largest moon']) {
    await page.locator('#search').fill(text)
    await page.locator('h1', { hasText: text }).waitFor()
    await untilQuiet(page)
    assert.equal(await answer.count(), 0, text)
  }
})

test('explorer: an answer fits a narrow page, and reads from right to left', async (t) => {
  for (const locale of ['de', 'ar']) {
    const viewport = { width: 320, height: 640 }
    const rest = 'search?text=retrograde%20moons%20of%20Neptune'
    const { page } = (await openDemoPage(t, rest, { viewport, locale })) ?? {}
    if (page === undefined) return
    await page.locator('.answer').getByText('Triton').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
    assert.deepEqual(await violations(page), [])
  }
})
