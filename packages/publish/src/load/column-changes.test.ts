import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore } from '@worldwright/core/store'
import { resultOf } from './events.ts'
import { importRecords } from './import-records.ts'

const PRICED = {
  type: 'object',
  properties: { price: { type: 'number' }, note: { type: 'string' } },
  required: ['price'],
}

/** Imports files of items and returns what is said of their columns. */
async function said(schema: JsonObject, ...files: readonly string[]) {
  const sources = files.map((text, at) => ({
    source: { name: `${at}.csv`, bytes: Readable.from([Buffer.from(text)]) },
    type: 'shop:item',
    mapping: { id: 'id', title: 'id' },
  }))
  const types = [{ type: 'shop:item', schema }]
  const { columns, notes, rejected } = await resultOf(importRecords(createMemoryStore(), sources, { types }))
  return { columns, notes, rejected }
}

test('a column that the schema lacks is noted once, beside those that no record has', async () => {
  const { columns, notes } = await said(PRICED, 'id,price,colour\na,1,red\nb,2,blue\n')
  assert.deepEqual(columns, [])
  assert.deepEqual(notes, [
    '0.csv: the schema of shop:item lacks colour: served, but not queryable until its properties name it. If a column was renamed: no record has note',
  ])
})

test('a renamed column is named with the count of rejected records', async () => {
  assert.deepEqual(await said(PRICED, 'id,note,cost\na,x,1\nb,y,2\n'), {
    columns: [
      '0.csv: price is gone, cost is new; the file and the schema of shop:item must have the same names',
    ],
    notes: [],
    rejected: 2,
  })
  const closed = { ...PRICED, additionalProperties: false }
  const { columns, rejected } = await said(closed, 'id,price,colour\na,1,red\n')
  assert.equal(rejected, 1)
  assert.match(columns[0] ?? '', /^0\.csv: colour is new;/)
})

test('columns are compared for each source and only with what a schema names', async () => {
  // The first source lacks a column that it never had to have, and an empty cell is no missing column.
  assert.deepEqual(await said(PRICED, 'id,price\na,1\n', 'id,price,note\nb,2,x\nc,,y\n'), {
    columns: [],
    notes: [],
    rejected: 1,
  })
  for (const schema of [{ type: 'object' }, { ...PRICED, allOf: [{ properties: { colour: true } }] }])
    assert.deepEqual((await said(schema, 'id,price,colour\na,1,red\n')).notes, [])
})
