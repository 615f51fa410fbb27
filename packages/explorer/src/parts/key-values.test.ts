import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { show, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { KeyValues } = await import('./key-values.tsx')
const { FactList } = await import('./fact-list.tsx')

test('an entity without a summary shows its distinguishing values', async () => {
  const { within } = await openFake()
  const attributes = {
    radiusKm: 1560.8,
    discoveredBy: 'Galileo',
    discoveryYear: 1610,
    launched: '1969-07-20',
    id: 5,
  }
  const entity = { type: 'f:thing', id: 'europa', title: 'Europa', attributes }
  show(within(h(KeyValues, { entity, matched: ['galileo'] })))
  assert.equal(textOf(document.body), '1610 · 20 July 1969 · Galileo · Radius: 1,560.8 km')
  assert.deepEqual(texts('mark'), ['Galileo'])
})

test('string values in a fact list are escaped', () => {
  const facts = [
    ['Code', '<i>x</i>'],
    ['Sign', h('b', null, 'y')],
  ] as const
  show(h(FactList, { class: 'facts', facts, children: h('div', null, 'more') }))
  assert.deepEqual(texts('dl.facts dt'), ['Code', 'Sign'])
  assert.deepEqual(texts('dd'), ['<i>x</i>', 'y'])
  assert.deepEqual([document.querySelectorAll('i').length, document.querySelectorAll('b').length], [0, 1])
  assert.equal(textOf(document.querySelector('dl')), 'Code<i>x</i>Signymore')
})
