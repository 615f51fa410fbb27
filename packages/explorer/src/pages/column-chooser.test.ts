import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldOf } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { field, get, press, show, startPage, texts } from '../page.fixture.ts'

startPage()
const { ColumnChooser } = await import('./column-chooser.tsx')

const fields = (...names: string[]) => names.map((name) => fieldOf(name, {}, {}))
const ALL = fields('mass', 'radius', 'kind')

/** Renders the menu for a table with these columns. The column lists that it sets are appended to `taken`. */
function showChooser(...shown: string[]) {
  const taken: (readonly string[] | undefined)[] = []
  const onColumns = (names: readonly string[] | undefined) => void taken.push(names)
  show(h(ColumnChooser, { shown: fields(...shown), available: ALL, onColumns }))
  return taken
}

const boxes = () => [...document.querySelectorAll('input')].map((box) => box.checked)

test('shown columns come first and keep their order', () => {
  showChooser('kind', 'mass')
  assert.deepEqual(texts('li label'), ['Kind', 'Mass', 'Radius'])
  assert.deepEqual(boxes(), [true, true, false])
  assert.equal(texts('li button').length, 4)
})

test('a column can be added at the end or removed, and removing the last one resets the columns', () => {
  const taken = showChooser('kind', 'mass')
  press(field('Radius'))
  press(field('Kind'))
  press(get('button', 'As in the schema'))
  assert.deepEqual(taken, [['kind', 'mass', 'radius'], ['mass'], undefined])
  const last = showChooser('kind')
  press(field('Kind'))
  assert.deepEqual(last, [undefined])
})

test('a column can be moved towards the beginning or the end', () => {
  const taken = showChooser('kind', 'mass', 'radius')
  press(get('button', 'Move Mass towards the beginning'))
  press(get('button', 'Move Mass towards the end'))
  assert.deepEqual(taken, [
    ['mass', 'kind', 'radius'],
    ['kind', 'radius', 'mass'],
  ])
  assert.equal(get<HTMLButtonElement>('button', 'Move Kind towards the beginning').disabled, true)
  assert.equal(get<HTMLButtonElement>('button', 'Move Radius towards the end').disabled, true)
  assert.equal(get<HTMLButtonElement>('button', 'Move Radius towards the beginning').disabled, false)
})
