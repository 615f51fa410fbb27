import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_KINDS, REST } from './shades.ts'
import { signOf, signPath } from './signs.ts'

const KINDS = [...Array.from({ length: MOST_KINDS }, (_, index) => `var(--kind-${index})`), REST]

test('each colour of values has a shape of its own, and those of a ramp have none', () => {
  assert.equal(new Set(KINDS.map(signOf)).size, 9)
  assert.ok(KINDS.every((color) => signOf(color) !== undefined))
  assert.equal(signOf('var(--kind-0)'), 'circle()')
  assert.equal(signOf('var(--kind-3)'), 'polygon(50% 0%,100% 50%,50% 100%,0% 50%)')
  assert.equal(signOf('color-mix(in oklab, var(--most) 50%, var(--least))'), undefined)
  assert.equal(signOf(undefined), undefined)
})

test('a shape is drawn around its point, and a circle is left to the width of the line', () => {
  assert.equal(signPath('var(--kind-3)', 10, 20, 4), 'M10 16L14 20L10 24L6 20Z')
  assert.equal(signPath('var(--kind-0)', 10, 20, 4), undefined)
})
