import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity, JsonObject, JsonValue } from '@worldwright/client/protocol'
import { createMemoryStore, setIndexRules } from '@worldwright/core/store'
import fc from 'fast-check'
import { rounds } from '../../../../test/rounds.ts'
import type { Condition } from '../port/conditions.ts'
import type { PropertyValue } from '../port/document.ts'
import { condition, valuedDocument } from '../reference/precise.fixture.ts'
import { type Dice, dice } from '../reference/random.fixture.ts'
import { entityValues, testOf } from './holds.ts'
import { memorySearch } from './memory-search.ts'

const RULES = { 't:a': { two: { index: false as const } }, 't:b': { deep: { index: false as const } } }

/** Conditions without paths through references, at whose end are other entities. */
const ownCondition = condition.filter((where) => !JSON.stringify(where).includes('"reference":['))

/** Returns an entity with the values of a random document, or with more values than the index takes. */
function randomEntity(roll: Dice, id: string): Entity {
  const { type, title, values = [] } = valuedDocument(roll, id)
  const attributes: Record<string, JsonValue> = roll(20) === 0 ? { flood: Array(roll(520)).fill(1) } : {}
  for (const value of values) {
    const path = value.path === '*' ? undefined : JSON.parse(value.path)
    if (path === 'attributes' && value.kind === 'place')
      Object.assign(attributes, { lat: value.value.latitude, lon: value.value.longitude })
    if (Array.isArray(path)) add(attributes, path, jsonOf(value))
  }
  return { type, id, title, attributes }
}

function add(object: Record<string, JsonValue>, [name = '', ...below]: string[], value: JsonValue): void {
  const before = object[name]
  if (below.length === 0) object[name] = before === undefined ? value : [before, value]
  else {
    const inner = { ...(before as JsonObject) }
    add(inner, below, value)
    object[name] = inner
  }
}

function jsonOf(value: PropertyValue): JsonValue {
  if (value.kind === 'unindexed') return 'long '.repeat(40)
  if (value.kind === 'instant') return new Date(value.value).toISOString()
  if (value.kind === 'reference') return { ...value.value }
  if (value.kind !== 'place') return value.value
  return { type: 'Point', coordinates: [value.value.longitude, value.value.latitude] }
}

test('a condition holds for exactly the entities that the index finds, under rules and after updates', async () => {
  const roll = dice(7)
  const now = () => new Date(roll(50) * 1_000)
  const store = createMemoryStore({ search: memorySearch, now })
  await setIndexRules(store, RULES)
  const put = (count: number) =>
    Array.from({ length: count }, () => ({ put: randomEntity(roll, `d${roll(400)}`) }))
  for (let write = 0; write < 12; write++) await store.write(put(60))
  const { changes } = await store.changes({ limit: 1_000 })
  const entities = changes.flatMap(({ entity }) => entity ?? [])
  assert.ok(entities.length > 250)
  const valued = entities.map(({ type, id, json }) => ({ id, values: entityValues(type, json, RULES) }))
  const asked = { limit: 1_000, budgetMs: 60_000 }
  const sort = [{ by: 'value', property: 'id', kind: 'text', descending: false }] as const
  const compare = async (where: Condition) => {
    const { hits } = await store.find({ ...asked, where, sort })
    const holds = testOf(where)
    const found = valued.filter(({ values }) => holds(values) === true).map(({ id }) => id)
    assert.deepEqual(found.sort(), hits.map(({ id }) => id).sort())
  }
  await fc.assert(fc.asyncProperty(ownCondition, compare), { numRuns: rounds(400, 2_000), seed: 3 })
})

test('many conditions over an entity of 4 MB look at no more values than the index has', () => {
  const attributes: JsonObject = { tags: Array.from({ length: 400_000 }, (_, at) => `tag-${at}`) }
  const values = entityValues('t:a', JSON.stringify({ type: 't:a', id: 'd', attributes }), {})
  assert.ok([...values.values()].flat().length <= 515)
  const leaf = (value: string): Condition => ({ op: '=', property: ['tags'], value })
  assert.equal(testOf(leaf('tag-3'))(values), true)
  assert.equal(testOf(leaf('tag-399999'))(values), false)
  assert.equal(testOf({ op: 'not', condition: leaf('tag-399999') })(values), true)
  assert.equal(testOf({ op: '<', property: ['other'], value: 1 })(values), undefined)
})
