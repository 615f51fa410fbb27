import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client'
import { referencesOf } from './references.ts'

const saturn = { type: 'sol:planet', id: 'saturn' }
const sun = { type: 'sol:star', id: 'sun' }

test('references are found in members, lists and objects, each with the path of names to it', () => {
  const attributes = {
    orbits: saturn,
    name: 'sun',
    lit: { by: [sun, sun, [saturn]] },
    near: { ...sun, world: 'elsewhere' },
  }
  assert.deepEqual(referencesOf(attributes), [
    { names: ['orbits'], to: saturn },
    { names: ['lit', 'by'], to: sun },
    { names: ['lit', 'by'], to: saturn },
    { names: ['near'], to: { ...sun, world: 'elsewhere' } },
  ])
})

test('an attributes object is never itself a reference, and deeply nested data is skipped', () => {
  assert.deepEqual(referencesOf(saturn), [])
  assert.deepEqual(referencesOf(undefined), [])
  let deep: JsonValue = saturn
  let nested: JsonValue = saturn
  for (let level = 0; level < 50_000; level++) {
    deep = { a: deep }
    nested = [nested]
  }
  assert.deepEqual(referencesOf({ deep, nested }), [])
})
