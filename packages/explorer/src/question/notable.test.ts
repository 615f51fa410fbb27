import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { World } from '@worldwright/client'
import { profileOf, typeIn } from '../world/world-profile.ts'
import { QUERY } from './askable.ts'
import { anyEntity, completeOf, notableOf } from './notable.ts'

const { signal } = new AbortController()

/** Creates a world that returns `outputs` one after the other and records the questions. */
function worldOf(...outputs: object[]) {
  const asked: unknown[] = []
  const action = async (_: string, input: unknown) => {
    asked.push(input)
    return { action: QUERY, output: outputs.shift() ?? { entities: [] } }
  }
  return { world: { action } as unknown as World, asked }
}

const PROFILE = profileOf({
  origin: 'https://sol.example',
  document: {
    protocol: 'world/0.1',
    world: { id: 'urn:x' },
    endpoints: { api: 'https://sol.example/api' },
    entityTypes: [{ type: 's:moon' }, { type: 's:person' }],
    actions: [{ name: 'wp:discover' }, { name: QUERY }],
    extensions: {
      [QUERY]: {
        types: {
          's:moon': [
            { property: 'orbits', kinds: ['reference'] },
            { property: 'size', kinds: ['number'] },
          ],
        },
      },
    },
  },
} as unknown as World)

test('the most referenced entity of each type is first', async () => {
  const star = { type: 's:star', id: 'sun' }
  const buckets = [
    { value: { type: 's:planet', id: 'mars' }, count: 2 },
    { value: star, count: 3 },
    { value: { type: 's:planet', id: 'saturn' }, count: 30 },
    { value: 'no reference', count: 99 },
  ]
  const { world, asked } = worldOf({
    entities: [],
    facets: [{ buckets }],
    counts: { 's:moon': 3, 's:star': '?' },
  })
  const { notable, counts } = await notableOf(world, PROFILE, signal)
  assert.deepEqual(
    notable.get('s:planet')?.map(({ id }) => id),
    ['saturn', 'mars'],
  )
  assert.deepEqual(notable.get('s:star'), [star])
  assert.deepEqual(counts, { 's:moon': 3 })
  assert.deepEqual(asked, [{ facets: [{ property: 'orbits', kind: 'reference', limit: 12 }], limit: 0 }])
})

test('a random entity is the first one at or after a random id, or else the first of all', async () => {
  const entity = { type: 's:moon', id: 'io', attributes: {} }
  const { world, asked } = worldOf({ entities: [] }, { entities: [entity] })
  assert.deepEqual(await anyEntity(world, 's:moon', () => 0.999, signal), { type: 's:moon', id: 'io' })
  const question = { types: ['s:moon'], sort: ['id'], limit: 1 }
  assert.deepEqual(asked, [{ ...question, where: { op: '>=', args: [{ property: 'id' }, 'zz'] } }, question])
  assert.equal(await anyEntity(worldOf().world, 's:moon', () => 0, signal), undefined)
})

test('complete entities have values for the first half of the properties', async () => {
  const entity = { type: 's:moon', id: 'io', attributes: {} }
  const { world, asked } = worldOf({ entities: [entity] })
  const moon = typeIn(PROFILE, 's:moon')
  assert.deepEqual(await completeOf(world, PROFILE, moon, 4, signal), [entity])
  const given = (property: string) => ({ op: 'not', args: [{ op: 'isNull', args: [{ property }] }] })
  assert.deepEqual(asked, [{ types: ['s:moon'], where: given('orbits'), limit: 4 }])
  const person = typeIn(PROFILE, 's:person')
  const unasked = worldOf()
  assert.deepEqual(await completeOf(unasked.world, PROFILE, person, 4, signal), [])
  assert.deepEqual(unasked.asked, [])
})
