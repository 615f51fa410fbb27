import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, type Entity, type JsonValue } from '@worldwright/client'
import { serve } from './command.ts'
import { ROOT } from './source-files.ts'

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

/** Returns every reference `{ type, id }` in a value, at any depth. */
function references(value: JsonValue): { type: string; id: string }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(references)
  const { type, id } = value
  const own = typeof type === 'string' && typeof id === 'string' ? [{ type, id }] : []
  return [...own, ...Object.values(value).flatMap(references)]
}

test('the demo world has at least 300 entities of 6 types, and every reference resolves', async (t) => {
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

test('the demo world computes light-travel times between two bodies', async (t) => {
  const sol = await demo(t)
  const body = (type: string, id: string) => ({ type: `sol:${type}`, id })
  const time = async (from: object, to: object) => (await sol.action('sol:light-time', { from, to })).output
  const [earth, mars] = [body('planet', 'earth'), body('planet', 'mars')]
  assert.deepEqual(await time(earth, mars), { minSeconds: 261.3, maxSeconds: 1259 })
  assert.deepEqual(await time(body('star', 'sun'), earth), { minSeconds: 499, maxSeconds: 499 })
  // Both moons orbit the same planet, so its own orbit does not matter.
  assert.deepEqual(await time(body('moon', 'io'), body('moon', 'europa')), {
    minSeconds: 0.8316,
    maxSeconds: 3.646,
  })
  await assert.rejects(time(earth, earth), { code: 'sol:same_body', status: 422 })
  await assert.rejects(time(earth, body('moon', 'x')), { code: 'sol:no_such_body' })
})

test('every picture of the demo world is served, small, and named by its entity', async (t) => {
  const sol = await demo(t)
  const pictures: JsonValue[] = []
  for (const type of ['sol:planet', 'sol:moon', 'sol:dwarf-planet', 'sol:star'])
    for await (const { id, attributes } of sol.entities(type))
      if (attributes['picture'] !== undefined) {
        assert.equal(attributes['picture'], `/attachments/${id}.webp`)
        pictures.push(attributes['picture'])
      }
  const files = readdirSync(join(ROOT, 'examples/solar-system/pictures'))
  assert.deepEqual(pictures.toSorted(), files.map((name) => `/attachments/${name}`).toSorted())
  assert.ok(pictures.length >= 30)
  let all = 0
  for (const picture of pictures) {
    const answer = await fetch(new URL(String(picture), sol.origin))
    const { byteLength } = await answer.arrayBuffer()
    assert.equal(answer.headers.get('content-type'), 'image/webp')
    assert.ok(byteLength > 1_000 && byteLength <= 12_000, `${picture}: ${byteLength} bytes`)
    all += byteLength
  }
  assert.ok(all <= 150_000, `${all} bytes`)
})

test('search in the demo world finds an entity by its name and by an alias in another script', async (t) => {
  const sol = await demo(t)
  const best = async (text: string) => (await sol.discover({ text, limit: 1 })).entities[0]?.id
  assert.equal(await best('Europa'), 'europa')
  assert.equal(await best('火星'), 'mars')
  assert.equal(await best('voyager 2'), 'voyager-2')
})

test('the stories of the demo world show all their views and entities', async (t) => {
  const { origin } = await demo(t)
  const names = readdirSync(join(ROOT, 'examples/solar-system/stories'))
  assert.ok(names.length > 0)
  for (const name of names) {
    const text = await (await fetch(`${origin}/s/${name.replace('.md', '')}`)).text()
    assert.match(text, /<figure>[\s\S]*<div class="card"/)
    assert.doesNotMatch(text, /cannot be shown|Nothing found/)
  }
})
