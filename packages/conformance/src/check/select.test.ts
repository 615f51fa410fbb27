import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check } from './check.ts'
import { defineCheck } from './check.ts'
import { selectChecks } from './select.ts'

const run = async () => undefined
const CHECKS: Check<unknown>[] = [
  defineCheck('L1-routes-1.a', 'x', run),
  defineCheck('D3-7.a', 'x', run).also('D3-6'),
  defineCheck('D3-71.a', 'x', run),
]

function ids(only?: string[], profile?: 'level-1' | 'full') {
  return selectChecks(CHECKS, { ...(only && { only }), ...(profile && { profile }) }).map((check) => check.id)
}

test('the profile level-1 selects only Level 1 checks', () => {
  assert.deepEqual(ids(undefined, 'level-1'), ['L1-routes-1.a'])
  assert.equal(ids().length, 3)
})

test('a pattern matches check ids and rule ids, with * as a wildcard', () => {
  assert.deepEqual(ids(['D3-7']), ['D3-7.a'])
  assert.deepEqual(ids(['D3-6']), ['D3-7.a'])
  assert.deepEqual(ids(['D3-*']), ['D3-7.a', 'D3-71.a'])
  assert.deepEqual(ids(['*.a', 'D9-9']), ['L1-routes-1.a', 'D3-7.a', 'D3-71.a'])
  assert.deepEqual(ids(['D3.7']), [])
})

test('defineCheck throws for an id that does not name a rule', () => {
  for (const id of ['D3-7', 'X-1.a', 'D3-7.A']) assert.throws(() => defineCheck(id, 'x', run), TypeError)
})
