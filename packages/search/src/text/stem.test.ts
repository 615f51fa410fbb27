import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'

test('a plural has the same stem as its singular, even if the plural does not end in s', () => {
  const pairs =
    'moon moons, city cities, glass glasses, box boxes, hero heroes, woman women, fisherman fishermen, ' +
    'specimen specimens, child children, wolf wolves, life lives, crisis crises, analysis analyses, index indices, ' +
    'nebula nebulae, person people, axis axes, luz luces'
  for (const pair of pairs.split(', ')) {
    const [one = '', many = ''] = pair.split(' ')
    assert.equal(stem(many), stem(one), pair)
  }
})

test('most words that only look like plurals keep their endings', () => {
  assert.deepEqual(['omen', 'yemen', 'mars', 'tennis'].map(stem), ['omen', 'yemen', 'mar', 'tennis'])
})
