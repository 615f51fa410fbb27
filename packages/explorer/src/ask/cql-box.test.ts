import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { field, find, get, key, press, show, startPage, textOf, type, until } from '../page.fixture.ts'

startPage()
const { CqlBox } = await import('./cql-box.tsx')

/** Shows the box. Conditions that it accepts are appended to `taken`. */
function showBox(text = '') {
  const taken: string[] = []
  show(h(CqlBox, { text, example: 'radiusKm > 1', onText: (typed) => void taken.push(typed) }))
  return { box: field<HTMLTextAreaElement>('Condition, in CQL2'), taken }
}

test('the button and Enter apply a condition after trimming it', async () => {
  const { box, taken } = showBox()
  assert.equal(box.placeholder, 'radiusKm > 1')
  type(box, ' radiusKm > 1000 ')
  press(get('button', 'Apply'))
  await until(() => taken.length === 1)
  type(box, 'radiusKm > 2')
  assert.equal(key(box, 'Enter'), false)
  await until(() => taken.length === 2)
  assert.deepEqual(taken, ['radiusKm > 1000', 'radiusKm > 2'])
  type(box, '  ')
  key(box, 'Enter')
  await until(() => taken.length === 3)
  assert.equal(taken[2], '')
})

test('Shift+Enter starts a new line', () => {
  const { box, taken } = showBox()
  type(box, 'radiusKm > 1')
  assert.equal(key(box, 'Enter', { shiftKey: true }), true)
  assert.deepEqual(taken, [])
})

test('a condition with a syntax error is not applied, and the error is selected and explained', async () => {
  const { box, taken } = showBox()
  type(box, 'radiusKm > > 5')
  key(box, 'Enter')
  await until(() => find('mark'))
  assert.equal(textOf(get('mark')), '>')
  assert.equal(textOf(get('[role=alert] .code')), 'radiusKm > > 5')
  assert.deepEqual([box.selectionStart, box.selectionEnd], [11, 12])
  assert.ok(document.activeElement === box)
  assert.equal(box.getAttribute('aria-describedby'), get('[role=alert]').id)
  assert.notEqual(textOf(get('.wrong')), '')
  assert.deepEqual(taken, [])
  type(box, 'radiusKm > 5')
  key(box, 'Enter')
  await until(() => find('mark') === undefined)
  assert.deepEqual(taken, ['radiusKm > 5'])
})

test('an error at the end is marked by an ellipsis, and markup in a condition is shown as text', async () => {
  const { box } = showBox()
  type(box, "title = '<b>x</b>' AND")
  key(box, 'Enter')
  await until(() => find('mark'))
  assert.equal(textOf(get('mark')), '…')
  assert.equal(find('b'), undefined)
})

test('the box shows the new condition when the address changes', () => {
  const { box } = showBox('a > 1')
  assert.equal(box.value, 'a > 1')
  showBox('b > 2')
  assert.equal(box.value, 'b > 2')
})
