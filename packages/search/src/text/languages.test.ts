import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'

const TITLES =
  'らーめん横丁, コンピューター入門, 國立圖書館, 龍谷寺, 臺灣大學, 龙井茶叶, المكتبة الوطنية, سيارة, ' +
  "İstanbul'un Tarihi, Lastenlääkäri, Autobahn, Straßenbahn, Ankara, Europa, Linnanmäki, Köprü"

/** Returns the `TITLES` that a query finds. */
function found(text: string): string[] {
  const documents = TITLES.split(', ').map((title) => ({
    type: 't:thing',
    id: title,
    title,
    aliases: [],
    summary: '',
    text: '',
  }))
  const store = createMemorySegments()
  new IndexWriter(store).change([], documents)
  const { hits } = new IndexReader(store).search({ text, limit: 9, budgetMs: 60_000 })
  return hits.map(({ key }) => key.id)
}

test('katakana matches hiragana, and a final long vowel mark is optional', () => {
  assert.deepEqual(found('ラーメン'), ['らーめん横丁'])
  assert.deepEqual(found('コンピュータ'), ['コンピューター入門'])
})

test('old, traditional and simplified forms of a character match each other', () => {
  assert.deepEqual(found('国立図書館'), ['國立圖書館'])
  assert.deepEqual(found('竜谷寺'), ['龍谷寺'])
  assert.deepEqual(found('台湾大学'), ['臺灣大學'])
  assert.deepEqual(found('圖書'), ['國立圖書館'])
})

test('an unknown pair of characters is searched for as single characters', () => {
  assert.deepEqual(found('绿茶'), ['龙井茶叶'])
})

test('Arabic words match regardless of article, conjunction and ending', () => {
  assert.deepEqual(found('مكتبة'), ['المكتبة الوطنية'])
  assert.deepEqual(found('والمكتبة'), ['المكتبة الوطنية'])
  assert.deepEqual(found('السيارات'), ['سيارة'])
})

test('in titles and queries, the part of a name after an apostrophe is treated as an ending', () => {
  assert.deepEqual(found('istanbul tarihi'), ["İstanbul'un Tarihi"])
  assert.deepEqual(found("Ankara'da"), ['Ankara'])
})

test('a compound is found by its last word', () => {
  assert.deepEqual(found('lääkäri'), ['Lastenlääkäri'])
  assert.deepEqual(found('bahn').sort(), ['Autobahn', 'Straßenbahn'])
  assert.deepEqual(found('ropa'), [])
})

test('an unknown word matches indexed forms with the same beginning', () => {
  assert.deepEqual(found('linnanmäellä'), ['Linnanmäki'])
  assert.deepEqual(found('köprüler'), ['Köprü'])
  // Less than half of the query word is shared.
  assert.deepEqual(found('europeanisation'), [])
})
