import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { askedWorld } from './asked-world.fixture.ts'

const { send } = await askedWorld()

async function discover(input: JsonObject) {
  return (await send('POST', '/api/world/v0/actions/wp%3Adiscover', { input })).json
}

const titan = { types: ['sol:moon'], text: 'titan' }

test('discover returns only the requested attributes, and everything else as without fields', async () => {
  const whole = (await discover(titan)).output
  const { output, warnings } = await discover({
    ...titan,
    fields: ['mass', 'orbits.id', ['attributes', 'year'], 'title'],
  })
  assert.equal(warnings, undefined)
  assert.deepEqual(output.entities, [
    {
      type: 'sol:moon',
      id: 'titan',
      title: 'Moon titan',
      attributes: { mass: 0.0225, year: 1655, orbits: { id: 'saturn' } },
    },
  ])
  assert.deepEqual({ ...output, entities: whole.entities }, whole)
  assert.deepEqual((await discover({ ...titan, fields: [] })).output.entities[0].attributes, {})
  assert.deepEqual((await discover({ ...titan, fields: null })).output, whole)
})

test('a field that no type has is ignored, since one question goes to many worlds', async () => {
  const { output, warnings } = await discover({
    ...titan,
    types: ['sol:moon', 'sol:none'],
    fields: ['radius', '__proto__', 'mass'],
    other: 1,
  })
  assert.deepEqual(output.entities[0].attributes, { mass: 0.0225 })
  assert.deepEqual(
    warnings.map(({ field }: { field: string }) => field),
    ['/input/types/1', '/input/other'],
  )
})

test('discover goes on from a cursor with other fields', async () => {
  const { output } = await discover({ types: ['sol:moon'], limit: 6, fields: ['mass'] })
  const rest = await discover({ types: ['sol:moon'], cursor: output.nextCursor, fields: ['year'] })
  assert.deepEqual(
    rest.output.entities.map(({ attributes }: { attributes: JsonObject }) => attributes),
    [{ year: 1859 }],
  )
})

const MALFORMED: readonly (readonly [fields: JsonValue, pointer: string, reason: string])[] = [
  ['mass', '/input/fields', 'wrong_type'],
  [{ mass: true }, '/input/fields', 'wrong_type'],
  [['mass', 5], '/input/fields/1', 'malformed'],
  [['attributes'], '/input/fields/0', 'malformed'],
  [['a..b'], '/input/fields/0', 'malformed'],
  [Array(65).fill('mass'), '/input/fields', 'too_many'],
]

for (const [fields, pointer, reason] of MALFORMED)
  test(`discover refuses the fields ${JSON.stringify(fields).slice(0, 20)}`, async () => {
    const { code, details } = await discover({ fields })
    assert.deepEqual(
      [code, details.fields[0].pointer, details.fields[0].reason],
      ['invalid_input', pointer, reason],
    )
  })
