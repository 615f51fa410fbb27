import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '@worldwright/client'
import { ExactNumber } from '@worldwright/client/exact'
import { fieldOf } from '@worldwright/extensions/shown'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { find, get, press, show, shown, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { Value } = await import('./value.tsx')
const sol = await openFake({
  answers: { 'entities/f:thing/europa': { type: 'f:thing', id: 'europa', title: 'Europa', attributes: {} } },
})

/** Renders the value of an attribute with this name and schema. */
function showValue(value: JsonValue, name = 'note', schema: object = {}): void {
  show(sol.within(h(Value, { value, field: fieldOf(name, schema, schema, value) })))
}

const pageText = () => textOf(document.body)

test('null, booleans and numbers with units are formatted', () => {
  for (const [value, name, expected] of [
    [null, 'note', '–'],
    [true, 'isRinged', 'yes'],
    [false, 'isRinged', 'no'],
    [1234.5, 'radiusKm', '1,234.5 km'],
    [-40, 'surfaceTempC', '−40 °C'],
    [97.8, 'tiltDeg', '97.8°'],
    [3, 'orbitDays', '3 days'],
    [1977, 'launchYear', '1977'],
    [9780439023480, 'isbn13', '9780439023480'],
    [1e300, 'count', '10³⁰⁰'],
  ] as const) {
    showValue(value, name)
    assert.equal(pageText(), expected, name)
  }
})

test('a number that a double does not hold is shown in full, with its unit', () => {
  for (const [text, name, expected] of [
    ['9007199254740993', 'massKg', '9,007,199,254,740,993 kg'],
    ['9007199254740993', 'isbn', '9007199254740993'],
    ['1e400', 'count', '1e400'],
  ] as const) {
    showValue(new ExactNumber(text) as never, name)
    assert.equal(pageText(), expected)
  }
})

test('a time is formatted, and an impossible date is shown as is', () => {
  showValue('1969-07-20')
  assert.equal(textOf(get('time')), '20 July 1969')
  assert.equal(get('time').getAttribute('datetime'), '1969-07-20')
  showValue('2024-02-30')
  assert.equal(find('time'), undefined)
  assert.equal(pageText(), '2024-02-30')
})

test('only http, https and mailto addresses become links', () => {
  showValue('https://nasa.example/voyager')
  assert.equal(get('a').getAttribute('href'), 'https://nasa.example/voyager')
  showValue('me@example.org', 'contact', { format: 'email' })
  assert.equal(get('a').getAttribute('href'), 'mailto:me@example.org')
  for (const text of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)//https://x.example',
    ' \u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'https://google.example@evil.example/',
    'https://a.example/ https://b.example/',
    '//evil.example/x',
  ]) {
    for (const schema of [{}, { format: 'uri' }, { format: 'picture' }, { contentMediaType: 'image/png' }]) {
      showValue(text, 'note', schema)
      assert.equal(document.querySelectorAll('a, img, button, script').length, 0, text)
    }
  }
})

test('the path of a view is a link only in a world that serves views', async () => {
  showValue('/v/f%3Athing?view=map')
  assert.deepEqual(texts('a'), [])
  const extensions = { 'worldwright:pages': { views: '/v/' } }
  const { origin, within } = await openFake({ document: { extensions } })
  show(within(h(Value, { value: '/v/f%3Athing?view=map', field: fieldOf('path', {}, {}, '') })))
  assert.equal(get('a').getAttribute('href'), `${origin}/v/f%3Athing?view=map`)
})

test('a mail address cannot contain a second scheme or a second address', () => {
  showValue('a@b.example javascript:alert(1)', 'contact', { format: 'email' })
  assert.equal(find('a'), undefined)
})

test('a picture from another host is shown only on request', () => {
  showValue('/attachments/europa.png', 'photo')
  assert.equal(get('img').getAttribute('src'), `${sol.origin}/attachments/europa.png`)
  assert.equal(get('img').getAttribute('alt'), 'Picture: Photo')
  showValue('https://pictures.example/europa.png', 'photo')
  assert.equal(find('img'), undefined)
  assert.equal(get('a').getAttribute('href'), 'https://pictures.example/europa.png')
  showValue('https://pictures.example/europa.png', 'photo', { format: 'picture' })
  assert.equal(find('img'), undefined)
  get('button', 'Show the pictures from pictures.example')
})

test('only codes are styled as code', () => {
  showValue('XK-7', 'label', { format: 'code' })
  assert.equal(textOf(get('.code')), 'XK-7')
  showValue('a word')
  assert.equal(textOf(get('.words')), 'a word')
})

test('a reference is a link with a title, and a location is shown in degrees', async () => {
  showValue({ type: 'f:thing', id: 'europa' }, 'near')
  assert.equal(textOf(get('a')), 'europa')
  await shown('Europa')
  showValue({ latitude: -23.0193, longitude: -67.7532 }, 'site')
  assert.equal(pageText(), '23.019° S, 67.753° W')
})

test('an object that is not a reference is laid out with the labels of its schema', () => {
  const schema = { properties: { massKg: { title: 'Weight', type: 'number' } } }
  showValue({ massKg: 5, __proto__: null, constructor: 'x' }, 'probe', schema)
  assert.deepEqual(texts('dt'), ['Weight', 'Constructor'])
  assert.deepEqual(texts('dd'), ['5 kg', 'x'])
  showValue({}, 'probe')
  assert.equal(pageText(), '–')
})

test('only a list of plain values is shown on one line', () => {
  showValue(['a', 'b'])
  assert.deepEqual(texts('.inline-list > li'), ['a', 'b'])
  showValue([
    [13, 52],
    [14, 53],
  ])
  assert.deepEqual(texts('.block-list > li'), ['1352', '1453'])
  assert.deepEqual(texts('.block-list .inline-list li'), ['13', '52', '14', '53'])
})

test('a long list is shown in portions', () => {
  showValue(Array.from({ length: 300 }, (_, index) => index))
  assert.equal(texts('li').length, 24)
  press(get('button', 'Show 276 more'))
  assert.equal(texts('li').length, 224)
  press(get('button', 'Show 76 more'))
  assert.equal(texts('li').length, 300)
  assert.equal(find('button'), undefined)
})

test('large objects and levels deeper than four are shown only as JSON', () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`m${index}`, index]))
  showValue(many)
  assert.equal(texts('dt').length, 24)
  assert.match(pageText(), /Deeper levels are in the JSON below\.$/)
  showValue({ a: { b: { c: { d: { e: 1 } } } } })
  assert.deepEqual(texts('dt'), ['A', 'B', 'C', 'D'])
  assert.match(pageText(), /Deeper levels are in the JSON below\.$/)
  showValue([[[[[[1]]]]]])
  assert.equal(pageText(), 'Deeper levels are in the JSON below.')
})

test('texts that the schema declares as ids are links, alone, in a list and as its items', async () => {
  const ids = { type: 'string', 'x-references': 'f:thing' }
  for (const [value, schema] of [
    ['europa', ids],
    [['europa'], { type: 'array', items: { type: 'string' }, 'x-references': 'f:thing' }],
    [['europa'], { type: 'array', items: ids }],
  ] as const) {
    showValue(value as JsonValue, 'moons', schema)
    await shown('Europa')
    assert.match(get('a').getAttribute('href') ?? '', /e\/f%3Athing\/europa$/)
  }
  showValue('', 'moons', ids)
  assert.equal(find('a'), undefined)
})
