import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, type Entity, type JsonValue } from '@worldwright/client'
import { serve } from './command.ts'

async function demo(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  context.after(() => rm(folder, { recursive: true }))
  const { origin } = await serve(
    context,
    'examples/solar-system',
    '--store',
    `sqlite:${join(folder, 'sol.db')}`,
  )
  return connect(origin)
}

/** Every `{ type, id }` inside a value, however deep. */
function references(value: JsonValue): { type: string; id: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(references)
  const { type, id } = value
  const own = typeof type === 'string' && typeof id === 'string' ? [{ type, id }] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

test('the demo world has at least 300 entities of at least 6 types, and no reference dangles', async (t) => {
  const sol = await demo(t)
  const types = sol.document.entityTypes ?? []
  assert.ok(types.length >= 6)
  const entities: Entity[] = []
  for (const { type, schema } of types) {
    assert.equal(schema?.['type'], 'object', `${type} has a schema`)
    for await (const entity of sol.entities(type)) entities.push(entity)
  }
  assert.ok(entities.length >= 300)
  const keys = new Set(entities.map(({ type, id }) => `${type} ${id}`))
  const dangling = entities.flatMap((entity) =>
    references(entity.attributes).filter(({ type, id }) => !keys.has(`${type} ${id}`)),
  )
  assert.deepEqual(dangling, [])
  const shy = entities.filter(({ title, summary }) => title === undefined || summary === undefined)
  assert.deepEqual(shy, [])
})

test('the demo world is found by name, by alias in another script, and by what is said of it', async (t) => {
  const sol = await demo(t)
  const best = async (text: string) => (await sol.discover({ text, limit: 1 })).entities[0]?.id
  assert.equal(await best('Europa'), 'europa')
  assert.equal(await best('火星'), 'mars')
  assert.equal(await best('voyager 2'), 'voyager-2')
})
