import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMemoryStore, type Query } from '@worldwright/core/store'
import { describeSource } from '@worldwright/core/store/suite'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import { arraySource } from '../../../core/src/store/array-source.fixture.ts'
import { moon } from '../../../core/src/store/suite-data.ts'
import { searchingTests } from '../../../core/src/store/suite-searching.ts'
import { memorySearch, withIndex } from './index.ts'
import { found, sourceOf } from './with-index.fixture.ts'

describeSource('an array with an index beside it', (entities) => withIndex(arraySource(entities)))

describe('a store searched by an index beside it satisfies the search contract', () => {
  searchingTests(async () => {
    const clock = { time: new Date('2026-03-01T09:00:00.250Z') }
    const store = createMemoryStore({ now: () => clock.time })
    const { find, matchedIn } = withIndex(sourceOf(store))
    return { clock, store: { ...store, find, matchedIn } }
  })
})

const words = fc.constantFrom('ice', 'giant', 'ring', 'Jupiter', 'café', 'moon')
const texts = fc.array(words, { maxLength: 3 }).map((some) => some.join(' '))
const keys = fc.record({
  type: fc.constantFrom('sol:moon', 'sol:planet', 'sol:star'),
  id: fc.constantFrom('a', 'b', 'c', '\ufffd', '\u{1f30d}'),
})
const contents = fc.record({
  title: texts,
  attributes: fc.record({ mass: fc.integer({ min: 0, max: 4 }), note: texts }),
})
const edits = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(keys, contents).map(([key, content]) => ({ put: { ...key, ...content } })),
  },
  { weight: 1, arbitrary: keys.map((key) => ({ delete: key })) },
)
const heavy = { op: '>', property: ['mass'], value: 1 } as const
const QUERIES: readonly Partial<Query>[] = [
  {},
  { text: 'ice giant' },
  { text: 'jupit', types: ['sol:moon', 'x:y'] },
  { where: heavy, sort: [{ by: 'value', property: ['mass'], kind: 'number', descending: true }], limit: 2 },
  { text: 'ring', where: heavy, facets: [{ facet: 'values', property: ['mass'], kind: 'number', limit: 3 }] },
  { similar: { type: 'sol:moon', id: 'a' } },
]

test('after any edits, the index answers like a new index and like a store that indexes each write', async () => {
  const writes = fc.array(fc.array(edits, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const store = createMemoryStore({ search: memorySearch })
      const source = withIndex(sourceOf(store))
      for (const operations of all) {
        await store.write(operations)
        const anew = withIndex(sourceOf(store))
        for (const query of QUERIES) {
          const expected = await found(store, query)
          assert.deepEqual(await found(source, query), expected)
          assert.deepEqual(await found(anew, query), expected)
        }
      }
    }),
    { numRuns: rounds(20, 500) },
  )
})

test('hits are the stored entities of the source', async () => {
  const rows = arraySource([moon('io', { title: 'Io', createdAt: '2001-01-01T00:00:00Z' })])
  const { hits } = await found(withIndex(rows), { text: 'io' })
  assert.deepEqual(hits, [await rows.get('sol:moon', 'io')])
})
