import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { mirroredWorld, mirrorIn } from '../mirror/mirror.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const ORIGIN = 'https://sol.example'
const API = `${ORIGIN}/api/world/v0`

type Answer = (query: URLSearchParams) => unknown

/** Returns a `fetch` that serves a world whose lists are answered by `lists`, by type. Its document has `more` members. */
function worldOf(lists: Record<string, Answer>, more: object = {}): typeof fetch {
  const types = Object.keys(lists).map((type) => ({ type }))
  const document = { protocol: 'world/0.1', endpoints: { api: API }, entityTypes: types, ...more }
  return async (input) => {
    const { pathname, searchParams } = new URL(String(input))
    const type = decodeURIComponent(pathname.split('/').at(-1) ?? '')
    const body = pathname.startsWith('/.well-known') ? document : lists[type]?.(searchParams)
    return body instanceof Response ? body : Response.json(body)
  }
}

async function mirrored(t: TestContext, fetch: typeof globalThis.fetch, ...flags: string[]) {
  const cwd = await folderOf(t, {})
  const run = async (next = fetch, ...more: string[]) => {
    const ran = await runWith(['mirror', ORIGIN, 'sol', ...flags, ...more], { cwd, fetch: next })
    return { ...ran, ...(await mirrorIn(join(cwd, 'sol'))), run }
  }
  return run()
}

const entity = (type: string, id: string) => ({ type, id, attributes: { name: id } })
const list =
  (type: string, ...ids: string[]): Answer =>
  () => ({ entities: ids.map((id) => entity(type, id)), total: ids.length })
const failing = () => Response.json({ code: 'too_large', message: 'Too large.' }, { status: 413 })

test('a mirror ends with a statement of its types, entities and pages, as text, as JSON and in its manifest', async (t) => {
  const pages = worldOf({
    'sol:moon': (query) =>
      query.get('cursor')
        ? { entities: [entity('sol:moon', 'io')], total: 2 }
        : { entities: [entity('sol:moon', 'europa')], total: 2, nextCursor: 'a' },
    'sol:sun': list('sol:sun'),
  })
  const { code, err, manifest, run } = await mirrored(t, pages)
  assert.equal(code, 0, err)
  assert.deepEqual(manifest.reading, {
    types: { 'sol:moon': { entities: 2, pages: 2 }, 'sol:sun': { entities: 0, pages: 1 } },
    unrecognised: [],
    pages: 3,
    meanwhile: { changed: false, by: ['document', 'total of sol:moon', 'total of sol:sun'] },
  })
  assert.match(
    err,
    /^sol:moon {2}2 +2\nsol:sun {3}0 +1\n2 types, 3 pages\. The world reported no change meanwhile/m,
  )
  const json = await run(pages, '--json')
  assert.deepEqual(JSON.parse(json.out).reading, manifest.reading)
})

test('a type that cannot be read fails the mirror, and is skipped with the reason if --partial is given', async (t) => {
  const broken = worldOf({ 'sol:moon': failing, 'sol:sun': list('sol:sun', 'sun') })
  const { code, err, names, run } = await mirrored(t, broken)
  assert.equal(code, 1)
  assert.deepEqual(names, [])
  assert.match(err, /sol is unchanged, since not all of .* was read.*--partial/)
  assert.match(err, /^sol:moon +skipped$/m)
  assert.match(err, /^Skipped sol:moon: Too large\. \(too_large\) https:.*\/entities\/sol%3Amoon$/m)
  const json = JSON.parse((await run(broken, '--json')).out)
  assert.equal(json.reading.types['sol:moon'].skipped.code, 'too_large')
  const partial = await run(broken, '--partial')
  assert.equal(partial.code, 0, partial.err)
  assert.deepEqual(Object.keys(partial.manifest.types), ['sol:sun'])
  assert.equal(partial.manifest.reading.types['sol:moon'].skipped.message, 'Too large.')
  const none = await run(worldOf({ 'sol:moon': failing, 'sol:sun': failing }), '--partial')
  assert.equal(none.code, 1)
  assert.deepEqual(none.entities, partial.entities)
})

test('a skipped type keeps the entities of an earlier run, and none of an incomplete walk', async (t) => {
  const lists = { 'sol:moon': list('sol:moon', 'io'), 'sol:sun': list('sol:sun', 'sun') }
  const { run } = await mirrored(t, worldOf(lists))
  const cut: Answer = (query) =>
    query.get('cursor') ? failing() : { entities: [entity('sol:moon', 'new')], nextCursor: 'a' }
  const { code, err, entities, names } = await run(worldOf({ ...lists, 'sol:moon': cut }), '--partial')
  assert.equal(code, 0, err)
  assert.deepEqual(
    entities.map((line) => JSON.parse(line).id),
    ['io', 'sun'],
  )
  assert.ok(!names.includes('deletions.ndjson'))
})

test('an entry of the type list that is not recognised counts as skipped, and is shown', async (t) => {
  const world = worldOf(
    { 'sol:moon': list('sol:moon', 'io') },
    { entityTypes: ['sol:moon', { label: 'Sun' }, 'sol:moon'] },
  )
  const { code, err, run } = await mirrored(t, world)
  assert.equal(code, 1)
  assert.match(err, /^Skipped an entry of the type list, not recognised: {"label":"Sun"}$/m)
  const partial = await run(world, '--partial')
  assert.equal(partial.code, 0, partial.err)
  assert.deepEqual(partial.manifest.reading.unrecognised, [{ label: 'Sun' }])
  assert.doesNotMatch(partial.err, /world\.json is without/)
})

test('--partial mirrors the changes of a world that has an unrecognised entry in its list of types', async (t) => {
  const world = await mirroredWorld(t)
  await world.put('Moon', 'io')
  const odd: typeof fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (!String(url).includes('/.well-known/')) return response
    const document = (await response.json()) as { entityTypes: object[] }
    return Response.json({ ...document, entityTypes: [...document.entityTypes, { label: 'Sun' }] })
  }
  const cwd = await folderOf(t, {})
  const run = (...flags: string[]) => runWith(['mirror', world.url, 'sol', ...flags], { cwd, fetch: odd })
  assert.equal((await run()).code, 1)
  const { code, err } = await run('--partial')
  assert.equal(code, 0, err)
  const { entities, manifest } = await mirrorIn(join(cwd, 'sol'))
  assert.equal(entities.length, 1)
  assert.deepEqual(manifest.reading.types, { 'sol:moon': { entities: 1 } })
})

const SHORT: readonly (readonly [name: string, list: Answer, words: RegExp])[] = [
  [
    'stops early',
    (query) => ({
      entities: [entity('sol:moon', query.get('cursor') ?? 'a')],
      total: 3,
      ...(!query.get('cursor') && { nextCursor: 'b' }),
    }),
    /ended after 2 of 3 entities/,
  ],
  [
    'gives less than its total on a single page',
    () => ({ entities: [entity('sol:moon', 'a')], total: 3 }),
    /or its end, was not recognised/,
  ],
  [
    'repeats a cursor',
    () => ({ entities: [entity('sol:moon', `${Math.random()}`)], nextCursor: 'a' }),
    /pagination_loop/,
  ],
  [
    'raises its total during the walk',
    (query) =>
      query.get('cursor')
        ? { entities: [entity('sol:moon', 'b')], total: 9 }
        : { entities: [entity('sol:moon', 'a')], total: 2, nextCursor: 'b' },
    /ended after 2 of 9 entities/,
  ],
]

for (const [name, answer, words] of SHORT) {
  test(`a list that ${name} is skipped with the reason`, async (t) => {
    const { code, err, names } = await mirrored(t, worldOf({ 'sol:moon': answer }))
    assert.equal(code, 1, err)
    assert.match(err, words)
    assert.deepEqual(names, [])
  })
}

test('short pages with a cursor, and a total that falls during the walk, are no fault', async (t) => {
  const pages: Record<string, object> = {
    '': { entities: [], total: 3, nextCursor: 'b' },
    b: { entities: [entity('sol:moon', 'a'), entity('sol:moon', 'b')], total: 3, nextCursor: 'c' },
    c: { entities: [entity('sol:moon', 'c')], total: 2 },
  }
  const world = worldOf({ 'sol:moon': (query) => pages[query.get('cursor') ?? ''] })
  const { code, err, manifest } = await mirrored(t, world)
  assert.equal(code, 0, err)
  assert.deepEqual(manifest.reading.types['sol:moon'], { entities: 3, pages: 3 })
})

test('members of items and pages that are neither used nor kept are named', async (t) => {
  const world = worldOf({
    'sol:moon': () => ({
      items: [
        { rank: 1, entity: { slug: 'io', type: 'sol:moon', label: 'Io', km: 3643 }, why: { score: [2, 3] } },
      ],
      meta: { generated: 'today', page: 1 },
      next: null,
    }),
  })
  const { code, err, manifest, entities } = await mirrored(t, world)
  assert.equal(code, 0, err)
  assert.deepEqual(JSON.parse(entities[0] ?? ''), {
    type: 'sol:moon',
    id: 'io',
    title: 'Io',
    attributes: { km: 3643 },
  })
  assert.deepEqual(manifest.reading.types['sol:moon'].unused, [
    'rank',
    'why.score',
    'page: meta.generated',
    'page: meta.page',
  ])
  assert.match(err, /Guessed, not proved: .*id=slug/)
  assert.match(err, /^Not understood in sol:moon, and not kept: rank, why\.score, page: meta\.generated/m)
})

test('entities whose attributes are not recognised are not mirrored without them', async (t) => {
  const world = worldOf({
    'sol:moon': () => ({ items: [{ meta: { type: 'sol:moon', id: 'io' }, body: { km: 3643 } }], next: null }),
  })
  const { code, err, names } = await mirrored(t, world, '--names', 'entity=meta')
  assert.equal(code, 1, err)
  assert.match(
    err,
    /No attributes were recognised in io of sol:moon\. Its members: body\.km\. Name them: --names/,
  )
  assert.deepEqual(names, [])
})

test('a world that changes while it is read is named as changed, and one that tells nothing as unknown', async (t) => {
  let total = 0
  const growing: Answer = () => {
    total += 1
    return {
      entities: Array.from({ length: total }, (_, id) => entity('sol:moon', `${id}`)),
      total,
      limit: 9,
    }
  }
  const grown = await mirrored(t, worldOf({ 'sol:moon': growing }))
  assert.equal(grown.code, 0, grown.err)
  assert.deepEqual(grown.manifest.reading.meanwhile, { changed: true, by: ['total of sol:moon'] })
  assert.match(grown.err, /The world changed meanwhile: total of sol:moon\./)
  const mute = await mirrored(t, worldOf({ 'sol:moon': () => ({ entities: [entity('sol:moon', 'io')] }) }))
  assert.deepEqual(mute.manifest.reading.meanwhile, { changed: null, by: ['document'] })
  assert.match(mute.err, /The world tells too little to know if it changed meanwhile\./)
})

for (const changes of [true, false]) {
  test(`a world of ours ${changes ? 'with' : 'without'} changes tells if it changed while it was mirrored`, async (t) => {
    const world = await mirroredWorld(t, { changes })
    await world.put('Moon', ...Array.from({ length: 2_500 }, (_, id) => `moon-${id}`))
    const cwd = await folderOf(t, {})
    const { code, err } = await runWith(['mirror', world.url, 'sol'], { cwd })
    assert.equal(code, 0, err)
    let requests = 0
    const changing: typeof fetch = async (url, init) => {
      if (++requests === 5) await world.put('New', 'moon-1')
      return fetch(url, init)
    }
    const other = await runWith(['mirror', world.url, 'other', '--json'], { cwd, fetch: changing })
    assert.equal(JSON.parse(other.out).reading.meanwhile.changed, true)
    const { reading } = (await mirrorIn(join(cwd, 'sol'))).manifest
    assert.deepEqual(reading, {
      types: { 'sol:moon': { entities: 2_500, ...(!changes && { pages: 13 }) } },
      unrecognised: [],
      pages: changes ? 3 : 13,
      meanwhile: {
        changed: false,
        by: changes ? ['offset of changes'] : ['document', 'etag of sol:moon', 'total of sol:moon'],
      },
    })
  })
}
