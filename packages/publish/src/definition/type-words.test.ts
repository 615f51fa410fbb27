import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionFromText } from './definition.ts'
import { searchRules } from './type-words.ts'

const rulesOf = (text: string) => searchRules(definitionFromText(text, 'world.yaml'))

test('a type is named by its name, its title and their synonyms', () => {
  const rules = rulesOf(`
types:
  - { type: "sol:dwarf-planet", title: Dwarf planet }
  - { type: "sol:mission", title: Space mission }
search: { synonyms: [[space mission, probe], { from: [ship], to: [probe] }] }
`)
  assert.deepEqual(rules.slice(2), [
    { from: ['dwarf planet'], to: [], type: 'sol:dwarf-planet' },
    { from: ['mission', 'space mission', 'probe'], to: [], type: 'sol:mission' },
  ])
})

test('a superlative and its opposite order a type, unless the opposite has an attribute of its own', () => {
  const orders = rulesOf(`
types: [{ type: "sol:moon", display: { rank: { largest: radiusKm, oldest: age, newest: found } } }]
`)
  const named = (word: string) => orders.find(({ from, order }) => order && from.includes(word))?.order
  assert.deepEqual(named('biggest'), { property: 'radiusKm', descending: true })
  assert.deepEqual(named('größter'), { property: 'radiusKm', descending: true })
  assert.deepEqual(named('smallest'), { property: 'radiusKm', descending: false })
  assert.deepEqual(named('oldest'), { property: 'age', descending: false })
  assert.deepEqual(named('latest'), { property: 'found', descending: true })
  assert.equal(named('heaviest'), undefined)
})

test('an unknown superlative is refused, and served types keep theirs', () => {
  assert.throws(
    () => rulesOf('types: [{ type: "sol:moon", display: { rank: { roundest: radiusKm } } }]'),
    /rank/,
  )
  const served = searchRules({
    types: [{ type: 'sol:moon', schema: { 'x-display': { rank: { largest: 'radiusKm' } } } }],
  })
  assert.equal(served.filter(({ order }) => order?.property === 'radiusKm').length, 2)
})
