import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { choose, field, show, startPage } from '../page.fixture.ts'

startPage()
const { AskBox } = await import('./ask-box.tsx')

test('the box keeps typed text when counts arrive and is updated when the address changes', () => {
  const taken: string[] = []
  const box = (text: string) =>
    show(h(AskBox, { text, 'aria-label': 'Search', onText: (typed) => void taken.push(typed) }))
  box('ocean')
  const input = field('Search')
  assert.equal(input.value, 'ocean')
  input.value = 'ocean un'
  box('ocean')
  assert.equal(input.value, 'ocean un')
  choose(input, 'ocean under')
  assert.deepEqual(taken, ['ocean under'])
  box('ice')
  assert.equal(input.value, 'ice')
  box('')
  assert.equal(input.value, '')
})
