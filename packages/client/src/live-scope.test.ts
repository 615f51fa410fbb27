import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeOf } from './live-scope.ts'

test('a path that the world does not list may lead through a reference', async () => {
  const listed = { 'sol:moon': [{ property: 'orbit.days' }, { property: 'of', kinds: ['reference'] }] }
  const document = { extensions: { 'worldwright:query': { types: listed } } } as never
  const scope = (input: object) => scopeOf({ document, origin: '' }, { types: ['sol:moon'], ...input })
  const own = { types: ['sol:moon'], where: undefined }
  assert.deepEqual(scope({ sort: ['-orbit.days'], group: ['mass'] }), own)
  assert.deepEqual(scope({ facets: [{ property: ['orbit', 'days'] }] }), own)
  const value = { op: '=', args: [{ property: 'kind' }, 'a.b'] }
  assert.deepEqual(scope({ where: value }), { ...own, where: value })
  for (const input of [
    { sort: ['-of.rings'] },
    { group: [{ property: 'of.rings' }] },
    { measures: [{ op: 'avg', property: ['of', 'rings'] }] },
    { where: { op: 'not', args: [{ op: '=', args: [{ property: 'of.rings' }, 1] }] } },
    { types: ['sol:planet'], sort: ['orbit.days'] },
    { where: 'of.rings > 1' },
  ])
    assert.equal(scope(input), undefined)
})
