import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN, services } from './services.fixture.ts'

const MOONS = 'sol%3Amoon'

/** Members of response bodies that the tests read. */
interface Body {
  readonly code: string
  readonly details: { readonly fields: readonly { readonly pointer: string }[] }
  readonly extensions: Record<string, unknown>
  readonly view: { readonly url: string }
  readonly result: readonly { readonly id: string }[]
  readonly properties: readonly unknown[]
}

async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body
}

test('the manifest lists the services and their URLs', async () => {
  const { get } = await services()
  const response = await get(MOONS)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  const base = `${ORIGIN}/reconcile/sol%3Amoon`
  assert.deepEqual(await response.json(), {
    versions: ['0.2'],
    name: 'Sol: Moon',
    identifierSpace: 'urn:x:sol#sol%3Amoon/',
    schemaSpace: 'urn:x:sol#sol%3Amoon',
    defaultTypes: [{ id: 'sol:moon', name: 'Moon' }],
    batchSize: 100,
    view: { url: `${ORIGIN}/t/sol%3Amoon/{{id}}` },
    preview: { url: `${base}/preview/{{id}}`, width: 430, height: 300 },
    suggest: {
      entity: { service_url: base, service_path: '/suggest/entity' },
      property: { service_url: base, service_path: '/suggest/property' },
      type: { service_url: base, service_path: '/suggest/type' },
    },
    extend: { propose_properties: { service_url: base, service_path: '/properties' }, property_settings: [] },
  })
})

test('without pages, services link to entity JSON', async () => {
  const { get, fetch } = await services({ view: 'api' })
  const { view } = await bodyOf(await get(MOONS))
  assert.equal(view.url, `${ORIGIN}/api/world/v0/entities/sol%3Amoon/{{id}}`)
  const discovery = await bodyOf(await fetch(new Request(`${ORIGIN}/.well-known/world.json`)))
  assert.deepEqual(discovery.extensions['worldwright:reconcile'], {
    path: '/reconcile/{type}',
    versions: ['0.2'],
    batchSize: 100,
  })
})

test('without pages, services link to an API on a different origin', async () => {
  const { get } = await services({ view: 'api', apiUrl: 'https://api.example/v2' })
  const { view } = await bodyOf(await get(MOONS))
  assert.equal(view.url, 'https://api.example/v2/entities/sol%3Amoon/{{id}}')
})

test('a batch may be sent in the query string with plus signs for spaces', async () => {
  const { get } = await services()
  const queries = JSON.stringify({
    'a/b': { query: 'Jane Austen' },
    __proto__: { query: 'Rhea' },
  }).replaceAll(' ', '+')
  const response = await get(`${MOONS}?queries=${encodeURIComponent(queries).replaceAll('%2B', '+')}`)
  const results = (await response.json()) as Record<string, { result: { id: string }[] }>
  assert.deepEqual(results['a/b']?.result[0]?.id, 'austen')
})

for (const [what, form, pointer] of [
  ['no object', { queries: '[]' }, '/queries'],
  ['nothing asked', { queries: { 'a/~b': {} } }, '/queries/a~1~0b/query'],
  ['a limit of 0', { queries: { q: { query: 'x', limit: 0 } } }, '/queries/q/limit'],
  ['a limit of 101', { queries: { q: { query: 'x', limit: 101 } } }, '/queries/q/limit'],
  ['a text of 513', { queries: { q: { query: 'x'.repeat(513) } } }, '/queries/q/query'],
  [
    'an unknown property',
    { queries: { q: { query: 'x', properties: [{ pid: 'mass', v: 1 }] } } },
    '/queries/q/properties/0/pid',
  ],
  [
    'a value of no kind',
    { queries: { q: { query: 'x', properties: [{ pid: 'code', v: [null] }] } } },
    '/queries/q/properties/0/v',
  ],
  [
    'a value of 513',
    { queries: { q: { query: 'x', properties: [{ pid: 'code', v: 'x'.repeat(513) }] } } },
    '/queries/q/properties/0/v',
  ],
  [
    'a property twice',
    {
      queries: {
        q: {
          query: 'x',
          properties: [
            { pid: 'code', v: 1 },
            { pid: 'code', v: 2 },
          ],
        },
      },
    },
    '/queries/q/properties',
  ],
  ['no value', { queries: { q: { properties: [{ pid: 'code' }] } } }, '/queries/q/properties/0/v'],
  ['ids of no kind', { extend: { ids: [1], properties: [] } }, '/extend/ids'],
  ['no ids', { extend: { properties: [] } }, '/extend/ids'],
] as const)
  test(`a form is refused with a pointer: ${what}`, async () => {
    const { post } = await services()
    const response = await post(MOONS, form)
    const body = await bodyOf(response)
    assert.deepEqual([response.status, body.code], [400, 'invalid_input'])
    assert.equal(body.details.fields[0]?.pointer, pointer)
  })

test('limits on queries, ids, values and bytes are enforced', async () => {
  const { post } = await services()
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`q${at}`, { query: 'Titan' }]))
  const ids = Array.from({ length: 101 }, (_, at) => `m${at}`)
  const properties = Array.from({ length: 33 }, () => ({ pid: 'code', v: 'x' }))
  for (const form of [
    { queries: many },
    { extend: { ids, properties: [] } },
    { queries: { q: { properties } } },
    {
      queries: {
        q: {
          properties: [
            { pid: 'code', v: Array(30).fill('x') },
            { pid: 'craters', v: [1, 2, 3] },
          ],
        },
      },
    },
    { queries: 'x'.repeat(262_145) },
  ]) {
    const response = await post(MOONS, form)
    assert.deepEqual([response.status, (await bodyOf(response)).code], [413, 'payload_too_large'])
  }
  const { q100: _, ...fewer } = many
  assert.equal((await post(MOONS, { queries: fewer })).status, 200)
})

test('a body without a valid query form is refused', async () => {
  const { post, fetch } = await services()
  const headers = { 'content-type': 'application/json' }
  const json = await fetch(
    new Request(`${ORIGIN}/reconcile/${MOONS}`, { method: 'POST', body: '{}', headers }),
  )
  assert.equal((await bodyOf(json)).code, 'unsupported_media_type')
  assert.equal((await bodyOf(await post(MOONS, { queries: '{' }))).code, 'invalid_json')
  assert.equal((await bodyOf(await post(MOONS, { other: '{}' }))).code, 'invalid_parameter')
})

test('a missing entity or type gets the usual error', async () => {
  const { get } = await services()
  for (const [path, code] of [
    ['sol%3Astar', 'unknown_type'],
    ['moon', 'invalid_type'],
    [`${MOONS}/preview/nobody`, 'entity_not_found'],
    [`${MOONS}/suggest/world`, 'not_found'],
    [`${MOONS}/suggest/entity?cursor=-1`, 'invalid_parameter'],
  ] as const)
    assert.equal((await bodyOf(await get(path))).code, code, path)
})

test('entities are suggested by name prefix and id', async () => {
  const { get } = await services()
  const suggested = async (prefix: string, more = '') =>
    (await bodyOf(await get(`${MOONS}/suggest/entity?prefix=${prefix}${more}`))).result
  assert.deepEqual(await suggested('tit'), [
    { id: 'titan', name: 'Titan', description: 'The largest <moon> of Saturn.' },
  ])
  assert.equal((await suggested('jane+au'))[0]?.id, 'austen')
  assert.equal((await suggested('phobos-2'))[0]?.id, 'phobos-2')
  assert.deepEqual((await suggested('Phobos', '&cursor=1')).length, 1)
  assert.deepEqual(await suggested('Phobos', '&cursor=1000'), [])
})

test('properties are suggested by name and id, and the type by name', async () => {
  const { get } = await services()
  const body = async (path: string) => bodyOf(await get(`${MOONS}/${path}`))
  assert.deepEqual(await body('suggest/property?prefix=RAD'), {
    result: [{ id: 'radiusKm', name: 'Mean radius' }],
  })
  assert.deepEqual(await body('suggest/property?prefix=orbit.d'), {
    result: [{ id: 'orbit.days', name: 'Orbit Days' }],
  })
  assert.deepEqual(await body('suggest/type?prefix=m'), { result: [{ id: 'sol:moon', name: 'Moon' }] })
  assert.deepEqual(await body('suggest/type?prefix=star'), { result: [] })
  assert.deepEqual(await body('properties?type=sol:moon&limit=2'), {
    type: 'sol:moon',
    properties: [
      { id: 'radiusKm', name: 'Mean radius' },
      { id: 'craters', name: 'Craters' },
    ],
  })
  assert.deepEqual((await body('properties?type=sol:planet')).properties, [])
})

test('a data extension returns property values, with names and services for references', async () => {
  const { post } = await services()
  const properties = ['radiusKm', 'craters', 'icy', 'discovered', 'orbits', 'near', 'aliases'].map((id) => ({
    id,
  }))
  const response = await post(MOONS, { extend: { ids: ['titan', 'nobody'], properties } })
  assert.deepEqual(await response.json(), {
    meta: [
      { id: 'radiusKm', name: 'Mean radius' },
      { id: 'craters', name: 'Craters' },
      { id: 'icy', name: 'Icy' },
      { id: 'discovered', name: 'Discovered' },
      {
        id: 'orbits',
        name: 'Orbits',
        type: { id: 'sol:planet', name: 'sol:planet' },
        service: `${ORIGIN}/reconcile/sol%3Aplanet`,
      },
      { id: 'near', name: 'Near', type: { id: 'sol:moon', name: 'Moon' } },
      { id: 'aliases', name: 'Aliases' },
    ],
    rows: {
      titan: {
        radiusKm: [{ float: 2574.7 }],
        craters: [{ int: 60 }],
        icy: [{ str: 'true' }],
        discovered: [{ str: '1655-03-25' }],
        orbits: [{ id: 'saturn', name: 'Saturn <b>' }],
        near: [
          { id: 'rhea', name: 'Rhea' },
          { id: 'lost', name: 'lost' },
        ],
        aliases: [{ str: 'Saturn VI' }],
      },
      nobody: { radiusKm: [], craters: [], icy: [], discovered: [], orbits: [], near: [], aliases: [] },
    },
  })
})

test('a preview allows framing by any origin, runs no scripts and escapes text', async () => {
  const { get } = await services()
  const response = await get(`${MOONS}/preview/titan`)
  const text = await response.text()
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'; /)
  assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /frame-ancestors|script/)
  assert.match(text, /The largest &lt;moon&gt; of Saturn\./)
  assert.match(text, /<a href="\/t\/sol%3Aplanet\/saturn">Saturn &lt;b&gt;<\/a>/)
  assert.doesNotMatch(text, /<b>|<moon>/)
})
