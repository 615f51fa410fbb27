import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { get, show, startPage, textOf } from '../page.fixture.ts'
import { typeIn } from '../world/world-profile.ts'

startPage()
const { TypeMark, TypeTitle } = await import('./type-mark.tsx')
const { open } = await openFake({
  document: { entityTypes: ['a:x', { type: 'b:y', title: '<b>Moon\u202e</b>' }] },
})
const type = typeIn(open.profile, 'b:y')

test('a type mark has a colour and a title', () => {
  show(h(TypeMark, { type }))
  assert.equal(get('.type-mark').style.getPropertyValue('--hue'), '40')
  assert.equal(get('.dot').getAttribute('aria-hidden'), 'true')
  assert.equal(textOf(document.body), '<b>MoonU+202E</b>')
})

test('a title that several types share is followed by the type name', () => {
  show(h(TypeTitle, { type, isShared: false, most: 7 }))
  assert.equal(textOf(document.body), '<b>Moon…')
  show(h(TypeTitle, { type, isShared: true, most: 80 }))
  assert.equal(textOf(document.body), '<b>MoonU+202E</b> b:y')
})
