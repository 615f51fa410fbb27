import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemorySegments } from '../memory-segments.ts'
import { Synonyms } from '../text/synonyms.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { IndexReader } from './index-reader.ts'

const TITLES = {
  titan: 'The largest moon of Saturn',
  rhea: 'A moon of Saturn with the second largest size',
  mimas: 'A moon of Saturn',
  io: 'A moon of Jupiter',
  river: 'Who discovered the source of the river',
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, 'The moon of a planet'])),
  ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`s${at}`, `The star number ${at}`])),
}

/** Returns a function that searches for a text among titles by id. */
function searching(titles: Record<string, string>, synonyms = new Synonyms([])) {
  const store = createMemorySegments()
  const documents = Object.entries(titles).map(([id, title]) => ({
    ...{ type: 't:thing', id, title, aliases: [], summary: '', text: '' },
  }))
  new IndexWriter(store).change([], documents)
  const reader = new IndexReader(store)
  return (text: string) => {
    const { hits, total, matched } = reader.search({ text, limit: 199, budgetMs: 60_000 }, { synonyms })
    assert.equal(hits.length, total)
    for (const limit of [1, 60, 120])
      assert.equal(
        reader.search({ text, limit, budgetMs: 60_000 }, { synonyms }).total,
        total,
        `${text}, ${limit}`,
      )
    return { first: hits[0]?.key.id, ids: hits.map(({ key }) => key.id).sort(), total, matched }
  }
}

const asked = searching(TITLES)

test('function words match nothing alone, unless the query has no other words or quotes them', () => {
  assert.deepEqual(asked('what is known about the moon of jupiter').ids, ['io'])
  assert.deepEqual(asked('what is known about the moon of jupiter').matched, ['jupiter', 'moon'])
  assert.deepEqual(asked('who is it').ids, ['river'])
  assert.deepEqual([asked('who zzyzx').total, asked('"who" zzyzx').ids], [0, ['river']])
})

test('a frequent word alone finds nothing beside a rare one, and a rare word makes up for a frequent one', () => {
  assert.deepEqual(asked('saturn moon').ids, ['mimas', 'rhea', 'titan'])
  assert.deepEqual(asked('jupiter star').ids, ['io'])
})

test('function words leave no entity out and are not corrected', () => {
  const titles = [
    ...Array.from({ length: 120 }, (_, at) => `The moon of planet ${at}`),
    ...Array.from({ length: 30 }, (_, at) => `Moon ${at}`),
    ...Array.from({ length: 60 }, (_, at) => `Rock ${at} then`),
  ]
  const found = searching(Object.fromEntries(titles.map((title, at) => [`d${at}`, title])))
  assert.equal(found('the moon').total, found('moon').total)
  assert.equal(found('the moon').total, 150)
  assert.deepEqual(found('than rock').matched, ['rock'])
})

test('beside one other word, function words change neither what is found nor the first entity', () => {
  const found = searching({
    ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, `There is the moon of ${at}`])),
    ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`r${at}`, `Rock ${at} of the hill`])),
    a: 'Moon',
    b: 'There is much to find',
    c: 'Stardust',
    d: 'Dust',
  })
  for (const words of ['the', 'find', 'find the', 'what is the', 'is there the'])
    for (const [word, first] of [
      ['moon', 'a'],
      ['dust', 'd'],
    ]) {
      const [alone, beside] = [found(`${word}`), found(`${words} ${word}`)]
      assert.deepEqual([beside.ids, beside.first], [alone.ids, first], `${words} ${word}`)
    }
  assert.equal(found('the red').total, 0)
})

test('words of English that are also function words of German tell what is sought in an English text', () => {
  const found = searching({
    a: 'Woman in war',
    b: 'Women in white',
    c: 'Die hard',
    d: 'Hard rain',
    e: 'Sonne',
  })
  assert.equal(found('the man at war').first, 'a')
  assert.equal(found('die hard').first, 'c')
  for (const text of ['die sonne', 'den sonne', 'war sonne', 'was hat die sonne']) {
    assert.deepEqual(found(text).ids, ['e'], text)
    assert.deepEqual(found(text).matched, ['sonn'], text)
  }
})

test('contractions are function words, and function words are no parts of the only other word', () => {
  const found = searching({ a: 'Mars', b: 'Mars rover', c: 'Big island', d: 'Land of rock', e: 'Touchdown' })
  for (const text of ["what's mars", 'where’s mars', 'isn’t mars', 'let’s mars'])
    assert.deepEqual([found(text).ids, found(text).first], [['a', 'b'], 'a'], text)
  assert.deepEqual(found('is land').ids, ['d'])
  assert.deepEqual(found('touch down').ids, ['e'])
})

test('a function word with synonyms tells what is sought, and a mark after a digit begins no quote', () => {
  const synonyms = new Synonyms([{ from: ['us'], to: ['united states'] }])
  const found = searching({ a: 'A mission of the United States', b: 'A mission of China' }, synonyms)
  assert.deepEqual(found('us mission').ids, ['a'])
  assert.deepEqual(searching({ a: 'A gate', b: 'A light' })('the 5" gate and the 3" gate').ids, ['a'])
})

test('function words do not decide which entity is found beside an unknown word', () => {
  const rocks = Array.from({ length: 40 }, (_, at) => [`r${at}`, `Rock ${at}`])
  const found = searching({ ...Object.fromEntries(rocks), a: 'Marsh', b: 'A marsh of what' })
  assert.deepEqual([found('what marsh zzyzx').ids, found('marsh zzyzx').ids], [['a'], ['a']])
})

test('a name in a text is found if the text has other forms of its words, or rarer words', () => {
  const titles = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at}`, `Sun and planet ${at}`]))
  const found = searching({ ...titles, a: 'Sun', b: 'A big plan', c: 'A big sun and other suns' })
  assert.ok(found('how big is the sun').ids.includes('a'))
  assert.ok(found('is the sun bigger than other suns').ids.includes('a'))
})

test('if names of entities overlap in a text, the total is the same for each limit', () => {
  const found = searching({
    ...Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`s${at}`, `The red giant star number ${at}`]),
    ),
    ...Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`r${at}`, `Rock ${at}`])),
    a: 'Red giant',
    b: 'Giant star',
    c: 'Giant',
  })
  assert.equal(found('the red giant star').total, 150)
  assert.equal(found('the red giant star rock').total, 152)
})

test('if several things are named, those without other words are found', () => {
  const found = searching({ ...TITLES, a: 'Eris', b: 'Ceres', c: 'Eris and Ceres', d: 'Eris of old' })
  assert.deepEqual(found('compare eris ceres').ids, ['a', 'b', 'c'])
})

test('in a short query an unknown word leaves only the best entity', () => {
  assert.deepEqual(asked('moon zzyzx').total, 1)
  assert.ok(asked('moon').total > 40)
})
