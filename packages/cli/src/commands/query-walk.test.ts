import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import { BIG, SHAPES, type ShapeName, serveShape, TYPES } from '../../../client/src/foreign/shapes.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'

const PLANET = { properties: { mass: { type: 'number' }, seen: { type: 'string', format: 'date' } } }

/** Returns a world of planets and moons. Only if `isAskable`, it answers queries, and moons have a schema. */
async function sol(isAskable: boolean): Promise<typeof fetch> {
  let hour = 0
  const now = () => new Date(Date.UTC(2026, 2, 1, hour++))
  const store = createMemoryStore({ search: memorySearch, now })
  await store.write(
    ['saturn', 'jupiter'].map((id, at) => ({
      put: { type: 'sol:planet', id, attributes: { mass: 95 + at * 223, seen: `16${at}0-01-07` } },
    })),
  )
  for (let at = 0; at < 250; at++) {
    const orbits = { type: 'sol:planet', id: at % 3 ? 'saturn' : 'jupiter' }
    const attributes = { mass: at % 40, note: '=1+1', tags: ['icy', `t${at % 5}`], orbits }
    await store.write([{ put: { type: 'sol:moon', id: `m${at}`, title: `Moon ${at}`, attributes } }])
  }
  const properties = {
    mass: { type: 'integer' },
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    orbits: { type: 'object', properties: { type: { type: 'string' }, id: { type: 'string' } } },
  }
  const types = [
    { type: 'sol:moon', title: 'Moon', ...(isAskable && { schema: { type: 'object', properties } }) },
    { type: 'sol:planet', title: 'Planet', schema: PLANET },
  ]
  const extensions = isAskable ? [query()] : []
  const world = { id: 'urn:x:sol', types, store, publicUrl: 'https://sol.example', extensions }
  const answer = toFetch(createWorld(world))
  return async (input, init) => answer(new Request(input, init))
}

test('a world read into memory gives the same answers as one that answers queries', async () => {
  const [askable, silent] = [await sol(true), await sol(false)]
  const moons = ['--type', 'sol:moon']
  for (const asked of [
    ['mass >= 30', '--sort', '-mass,id', '--fields', 'mass,tags', '--limit', '7', ...moons],
    ["tags = 't3' AND orbits = entity('sol:planet', 'saturn')", '--facet', 'tags', '--json', ...moons],
    ["createdAt > TIMESTAMP('2026-03-05T00:00:00Z')", '--all', '--sort', '-createdAt', ...moons],
    ['--facet', 'orbits', '--histogram', 'mass', '--referrers', 'sol:planet/saturn', '--limit', '0'],
    ['--text', 'moon 17', '--json'],
    ['--similar', 'sol:moon/m7', '--limit', '3'],
    ["seen < DATE('1605-01-01')", '--type', 'sol:planet', '--json'],
    ['mass < 3', '--csv', ...moons],
    ['--group', 'tags', '--measure', 'avg:mass', '--measure', 'distinct:orbits', ...moons],
    // Planets are read as well, since a path refers to them.
    ['orbits.mass > 100', '--group', 'orbits.seen', '--measure', 'max:orbits.mass', ...moons],
  ]) {
    const expected = await runWith(['query', 'sol.example', ...asked], { fetch: askable })
    const walked = await runWith(['query', 'sol.example', ...asked, '--walk'], { fetch: silent })
    assert.equal(walked.code, 0, walked.err)
    assert.equal(walked.out, expected.out, asked.join(' '))
    const said = walked.err.replace(
      /^(?:Reading \d+ entities of \d types? of https:\/\/sol\.example\.\n)+/,
      '',
    )
    assert.notEqual(said, walked.err)
    assert.equal(said, expected.err)
  }
})

test('a world read into memory accepts cursors, and refuses what a world would refuse', async () => {
  const fetch = await sol(false)
  const asked = ['query', 'sol.example', 'mass = 7', '--type', 'sol:moon', '--limit', '3', '--walk']
  const first = await runWith(asked, { fetch })
  const cursor = /7 matches; 3 shown; there are more: --cursor (\S+),/.exec(first.err)?.[1] ?? ''
  const second = await runWith([...asked, '--cursor', cursor], { fetch })
  assert.match(second.out, /^ID.*\nm247 .*\nm47 .*\nm7 /)
  const fault = await runWith(['query', 'sol.example', 'mas = 7', '--type', 'sol:moon', '--walk'], { fetch })
  assert.equal(fault.code, 1)
  assert.match(fault.err, /mas is not a queryable property here/)
  const unknown = await runWith(['query', 'sol.example', '--type', 'sol:sun', '--walk'], { fetch })
  assert.match(unknown.err, /unknown_type/)
})

test('a world is read only with --walk, and only if it answers no queries', async () => {
  const fetch = await sol(false)
  const { code, err } = await runWith(['query', 'sol.example', 'mass = 7'], { fetch })
  assert.equal(code, 1)
  assert.match(err, /no worldwright:query.*\n.*npx worldwright query sol\.example --walk/)
  const askable = await runWith(['query', 'sol.example', 'mass = 7', '--type', 'sol:moon', '--walk'], {
    fetch: await sol(true),
  })
  assert.match(askable.err, /^This world answers queries itself, so --walk reads nothing\.\n7 matches/)
})

test('more entities than the limit are refused before they are read', async () => {
  const [lists, inner] = [[] as string[], await sol(false)]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    if (String(input).includes('/entities/')) lists.push(String(input))
    return inner(input, init)
  }
  const asked = ['query', 'sol.example', 'mass = 7', '--walk', '--walk-limit', '251']
  const { code, out, err } = await runWith(asked, { fetch })
  assert.deepEqual([code, out, lists.length], [2, '', 2])
  assert.match(err, /The types have at least 252 entities, and --walk-limit is 251\. Name fewer types/)
})

test('a list that ends short fails without an answer', async () => {
  const inner = await sol(false)
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await inner(input, init)
    if (!String(input).includes('/entities/sol%3Amoon')) return response
    const page = (await response.json()) as { entities: unknown[] }
    return Response.json({ ...page, entities: page.entities.slice(1), total: 250 })
  }
  const { code, out, err } = await runWith(['query', 'sol.example', 'mass = 7', '--walk'], { fetch })
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /The list of sol:moon ended after \d+ of 250 entities/)
})

for (const name of Object.keys(SHAPES) as ShapeName[]) {
  test(`a world of the shape ${name} is read and queried`, async (t) => {
    const { url, close } = await serveShape(name)
    t.after(close)
    const asked = ["pages >= 120 AND subject.place = 'Nantucket'", '--type', TYPES[0], '--sort', '-pages']
    const { code, out, err } = await runWith(['query', url, ...asked, '--json', '--walk'])
    assert.equal(code, 0, err)
    const lines = out.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).title),
      ['Book 23', 'Book 22', 'Book 21'],
    )
    assert.ok(
      lines.every((line) => new RegExp(`"copies": ?${BIG}\\b`).test(line)),
      out,
    )
    const both = await runWith(['query', url, 'pages < 102', '--walk'])
    assert.equal(both.code, 2)
    assert.match(both.err, /lib:art\/fine print is not a type of the form prefix:name/)
  })
}
