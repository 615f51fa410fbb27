import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { namedValue } from '../../../core/src/store/values.ts'
import { TYPES_KEY, TypeInference, titleFromType, widened } from './type-inference.ts'

function learned(...attributes: JsonObject[]): TypeInference {
  const inference = new TypeInference()
  for (const [index, one] of attributes.entries())
    inference.add({ type: 'a:thing', id: `${index}`, attributes: one })
  return inference
}

function schemaOf(inference: TypeInference): unknown {
  return inference.descriptions()[0]?.schema
}

test('derives a title from the type name', () => {
  assert.deepEqual(['oec:planet', 'sol:dwarf-planet', 'gn:postCode', 'x:URL', 'x:a_b.c'].map(titleFromType), [
    'Planet',
    'Dwarf planet',
    'Post code',
    'URL',
    'A b c',
  ])
})

test('the inferred schema describes all entities of a type', () => {
  assert.deepEqual(
    schemaOf(
      learned(
        { n: 1, m: 1, tags: ['x'], deep: { a: 1 }, maybe: null },
        { n: 2, m: 1.5, tags: [], deep: {}, maybe: 'y', extra: [1, 'z'] },
      ),
    ),
    {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        m: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
        deep: { type: 'object', properties: { a: { type: 'integer' } } },
        maybe: { type: ['string', 'null'] },
        extra: { type: 'array', items: { type: ['string', 'integer'] } },
      },
      required: ['n', 'm', 'tags', 'deep', 'maybe'],
    },
  )
})

test('a member called __proto__ is described like any other', () => {
  const text = JSON.stringify(schemaOf(learned(JSON.parse('{"__proto__":1}'))))
  assert.equal(
    text,
    '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}',
  )
})

test('an inferred schema has at most 200 properties', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, { a: 1 }]))
  const text = JSON.stringify(schemaOf(learned(many)))
  assert.equal(text.split('"type"').length - 1, 201)
})

test('later data widens a stored description, and a replacement discards it', async () => {
  const store = createMemoryStore()
  const keep = async (inference: TypeInference, replaced?: ReadonlySet<string>) => {
    const before = (await namedValue(store, TYPES_KEY))?.value
    await store.write([], { values: { [TYPES_KEY]: widened(before, inference, replaced) } })
  }
  await keep(learned({ a: 1, b: 1 }))
  await keep(learned({ a: 'x', c: true }))
  const kept = async () => JSON.parse((await namedValue(store, 'types'))?.value ?? '')
  assert.deepEqual((await kept())[0].schema, {
    type: 'object',
    properties: { a: { type: ['string', 'integer'] }, c: { type: 'boolean' }, b: { type: 'integer' } },
    required: ['a'],
  })
  await keep(learned({ a: 1 }), new Set(['a:thing']))
  assert.deepEqual((await kept())[0].schema.properties, { a: { type: 'integer' } })
})

test('infers a format if all strings are dates or all are instants', () => {
  const properties = (...attributes: JsonObject[]) => {
    const { properties } = schemaOf(learned(...attributes)) as { properties: JsonObject }
    return properties['at']
  }
  const date = { at: '2024-02-29' }
  const instant = { at: '2024-02-29T12:00:00.5+02:00' }
  assert.deepEqual(properties(date, date), { type: 'string', format: 'date' })
  assert.deepEqual(properties(instant, { at: null }), { type: ['string', 'null'], format: 'date-time' })
  assert.deepEqual(properties({ at: [date.at] }), {
    type: 'array',
    items: { type: 'string', format: 'date' },
  })
  const others = ['2023-02-29', '2024', '', '2024-02-29T12:00:00', '2024-02-29T25:00:00Z', '2024-02-29 x']
  for (const other of others)
    for (const known of [date, instant])
      assert.deepEqual(properties(known, { at: other }), { type: 'string' })
  assert.deepEqual(properties(date, instant), { type: 'string' })
})

test('a stored format is dropped for good once a string does not match it', () => {
  const kept = widened(undefined, learned({ at: '2024-02-29' }))
  const formatIn = (text?: string) => JSON.parse(text ?? '')[0].schema.properties.at.format
  assert.equal(formatIn(kept), 'date')
  assert.equal(formatIn(widened(kept, learned({ at: '2024-03-01' }))), 'date')
  const plain = widened(kept, learned({ at: 'in spring' }))
  assert.equal(formatIn(plain), undefined)
  assert.equal(formatIn(widened(plain, learned({ at: '2024-03-01' }))), undefined)
})
