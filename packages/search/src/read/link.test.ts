import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IndexDamage } from '../port/index-damage.ts'
import { linksOf } from './link.ts'
import type { TypeDocuments } from './type-documents.ts'

test('a damaged type in a reference is reported, and does not hold up a query for ever', () => {
  // The byte 0xff is no UTF-8. Read as text, it becomes another type, whose references end before this one begins.
  const texts = { bytes: () => Buffer.from([0x74, 0x3a, 0xff, 0x20, 0x78]), before: () => 0 }
  const referring = { column: () => ({ values: 1, dictionary: { texts } }) } as unknown as TypeDocuments
  const path = { reference: ['one'], property: ['many'] } as const
  assert.throws(() => linksOf(referring, path, new Map()), IndexDamage)
})
