import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client'
import { h } from 'preact'
import { choose, field, find, get, press, show, startPage, textOf, texts, type } from '../page.fixture.ts'

startPage()
const { ActionForm } = await import('./action-form.tsx')

/** Renders the form. `runs` lists the inputs that were submitted. */
function showForm(schema: unknown, input?: JsonObject, isBusy = false) {
  const runs: JsonObject[] = []
  const onRun = (one: JsonObject) => void runs.push(one)
  show(h(ActionForm, { schema, input, isBusy, onRun }))
  return runs
}

const run = () => press(get('button', 'Run'))
const SCHEMA = {
  required: ['text'],
  properties: {
    text: { type: 'string', title: 'Words <b>', maxLength: 5, description: 'What to look for.' },
    limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 20 },
    least: { type: 'number', minimum: 0 },
    most: { type: 'number', maximum: 9 },
    types: { type: 'array', items: { type: 'string' } },
    deep: { type: 'boolean' },
    order: { enum: ['up', 2, null, { x: 1 }] },
    where: { type: 'object' },
  },
}

test('each input member has a control that fits its schema, with hints', () => {
  showForm(SCHEMA)
  assert.deepEqual(texts('label'), ['Words <b>', 'Limit', 'Least', 'Most', 'Types', 'Deep', 'Order', 'Where'])
  assert.deepEqual(texts('.hint'), [
    'What to look for. required',
    'From 1 to 1,000 · Default: 20',
    'At least 0',
    'At most 9',
    'One per line',
    '',
    '',
    'Write it as JSON',
  ])
  assert.equal(field('Words <b>').getAttribute('aria-required'), 'true')
  assert.equal(field('Words <b>').hasAttribute('maxlength'), false)
  assert.equal(field('Limit').inputMode, 'decimal')
  assert.equal(field('Types').tagName, 'TEXTAREA')
  assert.deepEqual(
    [...field<HTMLSelectElement>('Deep').options].map(({ text, value }) => [text, value]),
    [
      ['not given', ''],
      ['yes', 'true'],
      ['no', 'false'],
    ],
  )
  assert.deepEqual(
    [...field<HTMLSelectElement>('Order').options].map(({ text, value }) => [text, value]),
    [
      ['not given', ''],
      ['up', '"up"'],
      ['2', '2'],
      ['{"x":1}', '{"x":1}'],
    ],
  )
  assert.equal(find('b'), undefined)
})

test('the input contains the values of all controls that are not empty', () => {
  const runs = showForm(SCHEMA)
  type(field('Words <b>'), 'ice')
  type(field('Limit'), '5')
  type(field('Types'), 'a:b\n\n c:d ')
  choose(field<HTMLSelectElement>('Deep'), 'false')
  choose(field<HTMLSelectElement>('Order'), '2')
  type(field('Where'), '{"op":"="}')
  run()
  assert.deepEqual(runs, [
    { text: 'ice', limit: 5, types: ['a:b', 'c:d'], deep: false, order: 2, where: { op: '=' } },
  ])
})

test('an invalid input is explained at its control and does not run the action', () => {
  const runs = showForm(SCHEMA)
  type(field('Limit'), '1.5')
  type(field('Where'), '{')
  run()
  const wrong = [...document.querySelectorAll('[aria-invalid=true]')].map((control) =>
    textOf(document.querySelector(`label[for="${control.id}"]`)),
  )
  assert.deepEqual(wrong, ['Words <b>', 'Limit', 'Where'])
  assert.deepEqual(texts('[role=alert]'), [
    'This is required.',
    'Write a whole number.',
    'This is not valid JSON.',
  ])
  const { id } = field('Limit')
  assert.equal(field('Limit').getAttribute('aria-describedby'), `${id}-wrong ${id}-hint`)
  assert.deepEqual(runs, [])
  type(field('Words <b>'), 'ice')
  type(field('Limit'), '1')
  type(field('Where'), '')
  run()
  assert.deepEqual([texts('[role=alert]'), runs], [[], [{ text: 'ice', limit: 1 }]])
})

test('the form shows the input in the address and is updated when it changes', () => {
  showForm(SCHEMA, { text: 'ice', types: ['a:b', 'c:d'], order: 'up' })
  assert.equal(field('Words <b>').value, 'ice')
  assert.equal(field('Types').value, 'a:b\nc:d')
  assert.equal(field('Order').value, '"up"')
  showForm(SCHEMA, { text: 'fire' })
  assert.deepEqual([field('Words <b>').value, field('Types').value], ['fire', ''])
})

test('an action whose input is not described has one JSON control', () => {
  const runs = showForm({}, { a: 1 })
  assert.deepEqual(texts('p.soft')[0], 'This action takes no input that it describes. Write it as JSON.')
  const box = field('Input as JSON')
  assert.equal(box.value, '{\n  "a": 1\n}')
  for (const text of ['{', '[1]', '5', '"x"', 'null']) {
    type(box, text)
    run()
    assert.deepEqual(texts('[role=alert]'), ['This is not valid JSON.'], text)
  }
  assert.deepEqual(runs, [])
  type(box, '{"b":[2]}')
  run()
  type(box, ' ')
  run()
  assert.deepEqual(runs, [{ b: [2] }, {}])
})

test('the form cannot be submitted while the action is running', () => {
  showForm(SCHEMA, {}, true)
  assert.equal(get<HTMLButtonElement>('button', 'Running…').disabled, true)
})

test('the bounds of a year have no digit groups', () => {
  showForm({ properties: { madeYear: { type: 'integer', minimum: 1_400, maximum: 2_100 } } })
  assert.deepEqual(texts('.hint'), ['From 1400 to 2100'])
})
