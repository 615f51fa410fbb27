import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JoinedPath, Query } from '@worldwright/core/store'
import { canSearch } from './search.ts'
import { whereQuery } from './where-query.ts'

const NATION: JoinedPath = { reference: ['artist'], property: ['nation'] }

test("queries with groups or paths through references go to the store's own index", () => {
  const can = (query: Partial<Query>) => canSearch({ limit: 1, budgetMs: 250, ...query })
  const own = { op: 'absent', property: ['nation'] } as const
  assert.equal(can({ where: own }), true)
  const joined = { op: 'absent', property: NATION } as const
  assert.equal(can({ where: { op: 'or', conditions: [own, { op: 'not', condition: joined }] } }), false)
  assert.equal(can({ sort: [{ by: 'value', property: NATION, kind: 'text', descending: false }] }), false)
  assert.equal(can({ facets: [{ facet: 'values', property: NATION, kind: 'text', limit: 5 }] }), false)
  assert.equal(can({ group: { keys: [], measures: [], sort: [], limit: 1 } }), false)
  assert.equal(can({ sort: [{ by: 'sample' }] }), false)
})

test('a condition through a reference is never translated for a cluster', () => {
  const where = { op: '=', property: NATION, value: 'gr' } as const
  assert.throws(() => whereQuery(where), { code: 'unsupported', message: /references at artist/ })
})
