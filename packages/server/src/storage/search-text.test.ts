import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTextOf } from './search-text.ts'

test('text is taken from titles, aliases, summaries and every other string and number', () => {
  const attributes = {
    aliases: ['Terra', 'Gaia', 3, { also: 'nested' }],
    radius: 6371.5,
    moons: [{ name: 'Luna', inhabited: false, rings: null }],
  }
  assert.deepEqual(searchTextOf({ type: 'a:b', id: 'x', title: 'Earth', summary: 'Blue', attributes }), {
    title: 'Earth',
    aliases: 'Terra\nGaia',
    summary: 'Blue',
    body: '3\nnested\n6371.5\nLuna',
  })
})

test('a single alias needs no list, and what is absent is empty', () => {
  assert.deepEqual(searchTextOf({ type: 'a:b', id: 'x', attributes: { aliases: 'Terra' } }), {
    title: '',
    aliases: 'Terra',
    summary: '',
    body: '',
  })
})

test('names that objects know are values like any other, and depth has an end', () => {
  const attributes = JSON.parse('{"__proto__":{"a":"proto"},"constructor":"made"}')
  assert.equal(searchTextOf({ type: 'a:b', id: 'x', attributes }).body, 'proto\nmade')
  const deep = JSON.parse(`{"a":${'['.repeat(5_000)}"far"${']'.repeat(5_000)},"near":"by"}`)
  assert.equal(searchTextOf({ type: 'a:b', id: 'x', attributes: deep }).body, 'by')
})
