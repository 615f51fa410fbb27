import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellTypesOf } from './cells.ts'
import { createRowMapper } from './row-mapper.ts'

test('a record in the form of a served entity keeps its members, and columns are also its attributes', () => {
  const entity = {
    type: 'sol:moon',
    id: 'io',
    title: 'Io',
    revision: 'r',
    attributes: { id: 'J1', title: 't', type: 'rock', file: 'a b.png', planet: 'jupiter', rest: 'NA' },
  }
  const mapping = {
    attachments: { photo: 'file', more: 'attributes.none' },
    references: { around: { column: 'planet', type: 'sol:planet' } },
    missing: ['NA'],
  }
  const context = { cells: false, types: cellTypesOf(undefined), row: 1 }
  const map = createRowMapper(mapping)
  const links = { photo: '/attachments/a%20b.png', around: { type: 'sol:planet', id: 'jupiter' } }
  assert.deepEqual(map(entity, { ...context, type: 'sol:body' }), {
    record: { ...entity, attributes: { id: 'J1', title: 't', type: 'rock', ...links } },
  })
  assert.deepEqual(map.unseen(), ['attributes.none'])
  const { id: _, type: __, ...unnamed } = entity
  assert.deepEqual(Object.keys((map(unnamed, context) as { record: object }).record), [
    'title',
    'revision',
    'attributes',
  ])
  const named = createRowMapper({ id: 'file', title: 'attributes.title', attachments: { rest: 'rest' } })
  assert.deepEqual(named(entity, context), {
    record: {
      ...entity,
      id: 'a b.png',
      title: 't',
      attributes: { ...entity.attributes, rest: '/attachments/NA' },
    },
  })
  // With listed attributes, or another member, the record is one of any other form.
  for (const [mapping, record] of [
    [{ attachments: { photo: 'file' } }, { ...entity, file: 'x' }],
    [{ attributes: ['attributes'] }, entity],
  ] as const)
    assert.deepEqual(
      (createRowMapper(mapping)(record, context) as { record: { attributes: object } }).record.attributes,
      'file' in record
        ? { title: 'Io', revision: 'r', attributes: entity.attributes, photo: '/attachments/x' }
        : { attributes: entity.attributes },
    )
})
