import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client'
import { fieldOf } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { find, get, show, shown, startPage, textOf } from '../page.fixture.ts'

startPage()
const { Cell } = await import('./cell.tsx')
const sol = await openFake({
  answers: { 'entities/f:thing/io': { type: 'f:thing', id: 'io', title: 'Io', attributes: {} } },
})

function cellText(value: JsonValue | undefined, name = 'note'): string {
  show(sol.within(h(Cell, { value, field: fieldOf(name, {}, {}, value) })))
  return textOf(document.body)
}

test('a value is shown on one line without its unit', () => {
  for (const [value, expected] of [
    [undefined, ''],
    [null, ''],
    [true, 'yes'],
    [false, 'no'],
    [1234567, '1,234,567'],
    ['1969-07-20', '20 July 1969'],
    ['Galileo', 'Galileo'],
    [{ latitude: 18.65, longitude: -133.8 }, '18.65° N, 133.8° W'],
    [{ a: 1 }, '1 item'],
    [{ a: 1, b: 2 }, '2 items'],
    [['a', 'b', 'c'], 'a · b · c'],
    [['a', 'b', 'c', 'd', 'e'], 'a · b · c +2'],
    [[[1, 2], []], '(2 items) · (0 items)'],
    [[], ''],
  ] as const)
    assert.equal(cellText(value as JsonValue), expected, JSON.stringify(value))
})

test('numbers that are labels have no digit grouping', () => {
  assert.equal(cellText(2024, 'foundedYear'), '2024')
})

test('a string is truncated and is neither a link nor markup', () => {
  assert.equal(cellText('x'.repeat(200)), `${'x'.repeat(100)}…`)
  cellText('javascript:alert(1)')
  assert.equal(find('a'), undefined)
  assert.equal(cellText('<b>bold</b>\u202e'), '<b>bold</b>U+202E')
  assert.equal(find('b'), undefined)
})

test('a reference is a link with the title of its entity', async () => {
  cellText({ type: 'f:thing', id: 'io' })
  await shown('Io')
  assert.match(get('a').getAttribute('href') ?? '', /e\/f%3Athing\/io$/)
})

test('a text that the schema declares as an id is a link with the title of its entity', async () => {
  const field = fieldOf('moons', { items: { 'x-references': 'f:thing' } }, {})
  show(sol.within(h(Cell, { value: ['io'], field })))
  await shown('Io')
  assert.match(get('a').getAttribute('href') ?? '', /e\/f%3Athing\/io$/)
})

test('a picture on the origin of the world is shown small, and the address of another one as text', async () => {
  const field = fieldOf('photo', { 'x-display': 'picture' }, {})
  const own = (value: string) => show(sol.within(h(Cell, { value, field })))
  own('/attachments/io.png')
  assert.equal(get('img.thumb').getAttribute('alt'), 'Picture: Photo')
  assert.equal(get('img.thumb').getAttribute('src'), new URL('/attachments/io.png', sol.origin).href)
  get('img.thumb').dispatchEvent(new window.Event('error'))
  await shown('/attachments/io.png')
  own('https://elsewhere.example/io.png')
  await shown('https://elsewhere.example/io.png')
  assert.equal(find('img'), undefined)
})
