import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import type { SearchDocument } from '../port/document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from './index-writer.ts'

function moon(id: string, title: string, text = ''): SearchDocument {
  return { type: 'sol:moon', id, title, aliases: [], summary: '', text }
}

function opened() {
  const store = createMemorySegments()
  const writer = new IndexWriter(store)
  const reader = new IndexReader(store)
  const find = (text: string, unfinished = false) => {
    reader.refresh()
    return reader.search({ text, unfinished, limit: 20, budgetMs: 60_000 })
  }
  const ids = (text: string, unfinished = false) => find(text, unfinished).hits.map(({ key }) => key.id)
  return { store, writer, reader, find, ids }
}

test('words of replaced and deleted documents are neither found nor suggested', () => {
  const { writer, ids } = opened()
  writer.change([], [moon('a', 'Europa'), moon('b', 'Titan')])
  writer.change([moon('a', 'Europa')], [moon('a', 'Ganymede')])
  assert.deepEqual([ids('europa'), ids('ganymede'), ids('eurpoa')], [[], ['a'], []])
  writer.change([moon('b', 'Titan')], [])
  assert.deepEqual(ids('titan'), [])
})

test('removing a document whose words are unknown hides it and makes the index inexact', () => {
  const { writer, reader, ids } = opened()
  writer.change([], [moon('a', 'Europa'), moon('b', 'Titan')])
  writer.change([], [], [moon('c', '')])
  assert.equal(writer.isInexact, false)
  writer.change([], [moon('a', 'Ganymede')], [moon('a', '')])
  writer.mergeAll()
  assert.deepEqual([ids('europa'), ids('ganymede'), ids('titan')], [[], ['a'], ['b']])
  assert.deepEqual([writer.isInexact, reader.documents], [true, 2])
})

test('segments are read again after a read that failed halfway', () => {
  const { store, writer } = opened()
  writer.change([], [moon('a', 'Io'), moon('b', 'Europa')])
  let broken = false
  const reader = new IndexReader({
    ...store,
    segments: () =>
      store.segments().map(({ id, head, tombstones }) => ({
        id,
        head,
        get tombstones() {
          if (broken) throw new Error('the disk is broken')
          return tombstones
        },
      })),
  })
  writer.change([moon('a', 'Io')], [])
  broken = true
  assert.throws(() => reader.refresh(), /broken/)
  broken = false
  reader.refresh()
  assert.deepEqual(reader.search({ text: 'io', limit: 9, budgetMs: 60_000 }).hits, [])
})

test('a thousand single writes leave few segments, and merging leaves even fewer', () => {
  const { store, writer, find } = opened()
  for (let at = 0; at < 1_000; at++) writer.change([], [moon(`m${at}`, `moon ${at}`)])
  assert.ok(store.segments().length <= 20, `${store.segments().length} segments`)
  while (writer.maintain(1)) {}
  assert.ok(store.segments().length <= 12)
  assert.equal(find('moon').total, 1_000)
  writer.mergeAll()
  assert.equal(store.segments().length, 1)
  assert.equal(find('moon').total, 1_000)
})

test('a merged dictionary with several rows lists the first keys of the rows in order', () => {
  const { store, writer, reader, ids } = opened()
  const word = (at: number) => `${(at * 7919).toString(36)}${'x'.repeat(at % 40)}`
  for (const part of [0, 1]) {
    writer.change(
      [],
      Array.from({ length: 3_000 }, (_, at) => moon(`m${2 * at + part}`, word(2 * at + part))),
    )
  }
  writer.mergeAll()
  assert.equal(store.segments().length, 1)
  assert.equal(ids(word(4_321))[0], 'm4321')
  const starts = reader.segments.flatMap(({ head }) => head.terms.map(({ key }) => key))
  assert.ok(starts.length > 2)
  assert.deepEqual(starts, starts.toSorted(Buffer.compare))
})

test('a document deleted during a merge is deleted from the merged segment', () => {
  const { writer, find, ids } = opened()
  const text = 'some more words so that a merge takes several steps '.repeat(3)
  const documents = (part: number) =>
    Array.from({ length: 700 }, (_, at) => moon(`m${part}-${at}`, `moon w${part}x${at}`, text))
  for (let part = 0; part < 4; part++) writer.change([], documents(part))
  assert.ok(writer.maintain(0))
  writer.change([moon('m2-5', 'moon w2x5', text)], [])
  while (writer.maintain(0)) {}
  assert.equal(ids('w2x5').includes('m2-5'), false)
  assert.equal(ids('w2x6')[0], 'm2-6')
  assert.equal(find('moon').total, 2_799)
})

test('a word is a prefix if none holds it or it is unfinished, and ranks after whole words; exact words are never corrected', () => {
  const { writer, ids } = opened()
  writer.change(
    [],
    [
      moon('begin', 'Europa'),
      moon(
        'whole',
        'Somewhere',
        'a long text in which euro is one word of many others that do not matter at all',
      ),
      moon('near', 'Titania'),
      moon('exact', 'Far', 'titan'),
    ],
  )
  assert.deepEqual([ids('euro'), ids('euro', true)], [['whole'], ['whole', 'begin']])
  assert.deepEqual([ids('titan'), ids('titan', true)], [['exact'], ['exact', 'near']])
  assert.deepEqual(ids('titna'), ['exact'])
  assert.deepEqual(ids('europe'), ['begin', 'whole'])
})

test('joined initials do not match a word with the same letters', () => {
  const { writer, ids } = opened()
  writer.change([], [moon('initials', 'C.A.T.S.'), moon('word', 'cats'), moon('other', 'dust')])
  assert.deepEqual(ids('cat dust').sort(), ['other', 'word'])
})

test('documents whose id or title equals the query rank first', () => {
  const { writer, ids } = opened()
  writer.change(
    [],
    [
      moon('z9', 'Other', 'io io io'),
      moon('io', 'First'),
      moon('a', 'Io'),
      moon('b', 'Io and Io again', 'io io'),
    ],
  )
  assert.deepEqual(ids('io').slice(0, 2), ['io', 'a'])
})

test('a search with a time budget of zero returns a partial result', () => {
  const { writer, reader } = opened()
  writer.change(
    [],
    Array.from({ length: 3_000 }, (_, at) => moon(`m${at}`, `moon ${at}`, 'rock ice')),
  )
  reader.refresh()
  const found = reader.search({ text: 'moon rock ice absent', limit: 5, budgetMs: 0 })
  assert.equal(found.partial, true)
  assert.equal(found.totalIsLowerBound, true)
})
