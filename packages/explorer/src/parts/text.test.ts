import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { find, get, press, show, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { Paragraph, Safe, ShortText, Text } = await import('./text.tsx')

test('markup in text is escaped', () => {
  show(h(Text, { text: '<img src=x onerror=alert(1)><script>alert(2)</script>' }))
  assert.equal(textOf(document.body), '<img src=x onerror=alert(1)><script>alert(2)</script>')
  assert.equal(document.querySelectorAll('img, script').length, 0)
})

test('bidirectional and invisible characters are named, and the text is isolated', () => {
  show(h(Safe, { text: 'invoice\u202egpj.exe\u200b\u0007' }))
  assert.deepEqual(texts('.unseen'), ['U+202E', 'U+200B', 'U+0007'])
  assert.equal(get('.unseen').title, 'Invisible character U+202E')
  assert.equal(get('bdi').dir, 'auto')
  show(h(Safe, { text: 'curl', dir: 'ltr' }))
  assert.equal(get('bdi').dir, 'ltr')
})

test('each character of blank text is named', () => {
  show(h(Safe, { text: ' \u3164' }))
  assert.deepEqual(texts('.unseen'), ['U+0020', 'U+3164'])
})

test('long text is folded until it is expanded', () => {
  show(h(Text, { text: 'abcdefghij', most: 4 }))
  assert.equal(textOf(get('bdi')), 'abcd…')
  const button = get('button', 'Show all 10 characters')
  assert.equal(button.getAttribute('aria-expanded'), 'false')
  press(button)
  assert.equal(textOf(get('bdi')), 'abcdefghij')
  assert.equal(button.getAttribute('aria-expanded'), 'true')
  press(get('button', 'Show less'))
  assert.equal(textOf(get('bdi')), 'abcd…')
})

test('only text of more than 700 characters is folded', () => {
  show(h(Text, { text: 'x'.repeat(700) }))
  assert.equal(find('button'), undefined)
  show(h(Text, { text: 'x'.repeat(701) }))
  get('button', 'Show all 701 characters')
})

test('`ShortText` is cut between characters and cannot be expanded', () => {
  show(h(ShortText, { text: 'ab😀cd', most: 3 }))
  assert.equal(textOf(get('bdi')), 'ab…')
  assert.equal(find('button'), undefined)
})

test('matched words are marked, and the spaces between them are kept', () => {
  show(h(ShortText, { text: 'Ocean under the ice', matched: ['ocean', 'under', 'ice'] }))
  assert.deepEqual(texts('mark'), ['Ocean', 'under', 'ice'])
  assert.equal(document.body.textContent, 'Ocean under the ice')
  assert.equal(find('.unseen'), undefined)
})

test('a paragraph without text renders nothing', () => {
  show(h(Paragraph, { class: 'lead', text: undefined }))
  assert.equal(document.body.innerHTML, '')
  show(h(Paragraph, { class: 'lead', text: 'A world.' }))
  assert.equal(textOf(get('p.lead')), 'A world.')
})
