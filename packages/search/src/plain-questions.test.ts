import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainScores, solarSystem } from '../../../bench/search/plain.ts'

/** Scores measured for each half of the judged questions, below which none may fall. */
const FLOORS = {
  build: {
    questions: 77,
    first: 0.766,
    three: 0.805,
    relevant: 0.365,
    found: 0.0103,
    foundForNothing: 0.029,
  },
  measure: {
    questions: 58,
    first: 0.724,
    three: 0.758,
    relevant: 0.353,
    found: 0.0069,
    foundForNothing: 0.012,
  },
} as const

for (const [half, floor] of Object.entries(FLOORS))
  test(`plain questions over the demo world are answered as well as before, in the half to ${half}`, () => {
    const scores = plainScores('sol', solarSystem(), half as keyof typeof FLOORS)
    assert.equal(scores.questions, floor.questions)
    for (const name of ['first', 'three', 'relevant'] as const)
      assert.ok(scores[name] >= floor[name], `${name}: ${scores[name]}`)
    for (const name of ['found', 'foundForNothing'] as const)
      assert.ok(scores[name] <= floor[name], `${name}: ${scores[name]}`)
  })
