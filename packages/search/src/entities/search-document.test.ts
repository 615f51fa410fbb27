import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchDocumentOf } from './search-document.ts'

test('text is extracted from the title, aliases, summary and every other string and integer', () => {
  const attributes = {
    aliases: ['Terra', 'Gaia', 3, { also: 'nested' }],
    radius: 6371.5,
    picture: 'https://example.org/earth.jpg',
    moons: [{ name: 'Luna', inhabited: false, rings: null }],
  }
  assert.deepEqual(searchDocumentOf({ type: 'a:b', id: 'x', title: 'Earth', summary: 'Blue', attributes }), {
    type: 'a:b',
    id: 'x',
    title: 'Earth',
    aliases: ['Terra', 'Gaia'],
    summary: 'Blue',
    text: '3\nnested\nLuna',
  })
})

test('a single alias may be a string, and absent fields are empty', () => {
  assert.deepEqual(searchDocumentOf({ type: 'a:b', id: 'x', attributes: { aliases: 'Terra' } }), {
    type: 'a:b',
    id: 'x',
    title: '',
    aliases: ['Terra'],
    summary: '',
    text: '',
  })
})

test('members named like Object.prototype members are searched, but deeply nested values are not', () => {
  const attributes = JSON.parse('{"__proto__":{"a":"proto"},"constructor":"made"}')
  assert.equal(searchDocumentOf({ type: 'a:b', id: 'x', attributes }).text, 'proto\nmade')
  const deep = JSON.parse(`{"a":${'['.repeat(5_000)}"far"${']'.repeat(5_000)},"near":"by"}`)
  assert.equal(searchDocumentOf({ type: 'a:b', id: 'x', attributes: deep }).text, 'by')
})

test('the id of a reference is text, its type is not', () => {
  const attributes = {
    orbits: { type: 'sol:planet', id: 'saturn' },
    kind: { type: 'planet', id: 'gas' },
    said: { type: 'Note: to all', id: 'n' },
    seen: [{ type: 'sol:mission', id: 'cassini', at: 'Titan' }],
  }
  const { text } = searchDocumentOf({ type: 'a:b', id: 'x', attributes })
  assert.deepEqual(text.split('\n').sort(), [
    'Note: to all',
    'Titan',
    'cassini',
    'gas',
    'n',
    'planet',
    'saturn',
  ])
})

test('text of weighted attributes is kept separate, and is omitted if the weight is 0', () => {
  const attributes = {
    aliases: ['Terra'],
    radius: 6371,
    colour: { main: 'blue', parts: ['white', 3] },
    note: 'x',
    plain: 'y',
  }
  const rules = {
    ...{ aliases: { weight: 2 }, colour: { weight: 2.5 }, note: { weight: 0 } },
    plain: { weight: 1, index: false as const },
  }
  assert.deepEqual(searchDocumentOf({ type: 'a:b', id: 'x', attributes }, rules), {
    type: 'a:b',
    id: 'x',
    title: '',
    aliases: ['Terra'],
    aliasWeight: 2,
    summary: '',
    text: '6371\ny',
    weighted: [{ text: 'blue\nwhite\n3', weight: 2.5 }],
  })
})
