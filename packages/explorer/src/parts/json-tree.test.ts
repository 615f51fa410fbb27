import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client'
import { h } from 'preact'
import { find, get, press, show, startPage, textOf, texts, until } from '../page.fixture.ts'

startPage()
const { JsonTree } = await import('./json-tree.tsx')

const showTree = (value: JsonValue) => show(h(JsonTree, { value, what: 'As JSON' }))
const names = () => texts('.json-name')

test('two levels are unfolded, and deeper levels unfold on request', () => {
  showTree({ a: { b: { c: 1 } }, d: [true, null, 'x', 1.5] })
  assert.deepEqual(names(), ['a', 'b', 'd', '0', '1', '2', '3'])
  assert.deepEqual(texts('.json-size'), ['{ 2 members }', '{ 1 member }', '{ 1 member }', '[ 4 items ]'])
  assert.deepEqual(texts('.json-word'), ['true', 'null'])
  assert.equal(textOf(get('.json-text')), '"x"')
  assert.equal(textOf(get('.json-number')), '1.5')
  press(get('summary', /^b/))
  assert.deepEqual(names(), ['a', 'b', 'c', 'd', '0', '1', '2', '3'])
})

test('all levels up to a maximum can be unfolded and folded', () => {
  const deep = Array.from({ length: 20 }).reduce<JsonValue>((inner) => ({ in: inner }), 1)
  showTree(deep)
  press(get('button', 'Unfold all'))
  assert.equal(names().length, 12)
  press(get('button', 'Fold all'))
  assert.deepEqual(names(), ['in'])
})

test('a long list is rendered in portions', () => {
  showTree(Array.from({ length: 700 }, (_, index) => index))
  assert.equal(texts('.json-number').length, 100)
  press(get('button', 'Show 600 more'))
  assert.equal(texts('.json-number').length, 600)
  press(get('button', 'Show 100 more'))
  assert.equal(texts('.json-number').length, 700)
})

test('a list of 100 items is rendered completely', () => {
  showTree(Array.from({ length: 100 }, (_, index) => index))
  assert.equal(texts('.json-number').length, 100)
  assert.equal(find('button.link'), undefined)
})

test('names and strings are not interpreted as markup or as inherited members', () => {
  showTree(JSON.parse('{"__proto__":"a","constructor":"<i>b</i>","\\u202e":"c"}'))
  assert.deepEqual(names(), ['__proto__', 'constructor', 'U+202E'])
  assert.deepEqual(texts('.json-text'), ['"a"', '"<i>b</i>"', '"c"'])
  assert.equal(document.querySelector('i'), null)
})

test('the copy button copies the whole value, including its folded parts', async (t) => {
  const written = t.mock.method(navigator.clipboard, 'writeText', async () => {})
  showTree({ a: { b: { c: [1] } } })
  press(get('button', /^Copy/))
  await until(() => written.mock.callCount() > 0)
  assert.deepEqual(JSON.parse(String(written.mock.calls[0]?.arguments[0])), { a: { b: { c: [1] } } })
})
