import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

test('a word in most documents is not reported beside rarer words, but is still searched for', () => {
  const titles = Array.from({ length: 200 }, (_, at) => (at < 130 ? `The moon n${at}` : `Rock r${at}`))
  const store = createMemorySegments()
  const documents = [...titles, 'The Who', 'The Rock'].map((title, at) => ({
    type: 't:a',
    id: `d${at}`,
    title,
    aliases: [],
    summary: '',
    text: '',
  }))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  const search = (text: string) => reader.search({ text, limit: 1, budgetMs: 60_000 })
  assert.deepEqual(search('the who').matched, ['who'])
  assert.deepEqual(search('the who').hits[0]?.key.id, 'd200')
  assert.deepEqual(search('the rock').matched, ['rock'])
  assert.deepEqual(search('the').matched, ['the'])
  assert.equal(search('the').total, 132)
})

test('corrections of words that no document holds together are not reported', () => {
  const store = createMemorySegments()
  const documents = ['Moon', 'Moor', 'Rock'].map((title) => ({
    ...{ type: 't:a', id: title, title, aliases: [], summary: '', text: '' },
  }))
  new IndexWriter(store).change([], documents)
  const { matched } = new IndexReader(store).search({ text: 'moon rocc', limit: 9, budgetMs: 60_000 })
  assert.deepEqual(matched, ['moon', 'rock'])
})
