import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queriedWorld, typesOf } from './queried-world.ts'

const ORIGIN = 'https://sol.example'
const MOONS = new Map(
  [1, 5, 3].map((mass) => [
    `m${mass}`,
    JSON.stringify({
      type: 'sol:moon',
      id: `m${mass}`,
      attributes: { mass },
      createdAt: '2026-01-01T00:00:00Z',
    }),
  ]),
)
const read = { id: 'urn:x:sol', origin: ORIGIN, types: [], lines: new Map([['sol:moon', MOONS]]) }

test('entities that were read are filtered and sorted by an inferred schema, and keep their members', async () => {
  const answer = await queriedWorld(read)
  const input = {
    types: ['sol:moon'],
    where: { op: '>', args: [{ property: 'mass' }, 2] },
    sort: ['-mass'],
  }
  const response = await answer(
    new Request(`${ORIGIN}/api/world/v0/actions/worldwright%3Aquery`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    }),
  )
  const { output } = (await response.json()) as { output: { entities: unknown[]; total: number } }
  assert.deepEqual(
    output.entities,
    ['m5', 'm3'].map((id) => JSON.parse(MOONS.get(id) ?? '')),
  )
  assert.equal(output.total, 2)
})

test('a declared schema that has properties takes precedence over an inferred one', () => {
  const schema = { properties: { mass: { type: 'number', description: 'In kg.' } } }
  const { lines } = read
  assert.deepEqual(typesOf({ lines, types: [{ type: 'sol:moon', title: 'Moon', schema }] }), [
    { type: 'sol:moon', title: 'Moon', schema },
  ])
  const [inferred] = typesOf({ lines, types: [{ type: 'sol:moon', title: 7, schema: {} }] })
  assert.deepEqual(inferred?.schema?.['properties'], { mass: { type: 'integer' } })
  assert.ok(!('title' in (inferred ?? {})))
})
