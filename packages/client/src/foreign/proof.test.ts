import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity, World } from '../index.ts'
import { DOCUMENT, failure, json, SECRET } from '../scripted-fetch.fixture.ts'
import {
  connect,
  type ForeignOptions,
  interpretationOf,
  profileFrom,
  profileOf,
  prove,
  READING,
} from './foreign.ts'

const ORIGIN = 'https://sol.example'
const API = 'https://data.sol.example/w/v3'
const ROUTE = '/entities/sol%3Amoon'

/** Connects to a world that answers the given routes. A value is a body, a response, or an error to throw. */
async function answering(
  routes: Record<string, unknown>,
  options: ForeignOptions = {},
  types = ['sol:moon'],
) {
  const sent: { url: string; token: string | null }[] = []
  const fetch = async (url: string, init: RequestInit) => {
    if (url.endsWith('.json')) return json(200, { ...DOCUMENT, kinds: types })
    sent.push({ url: url.replace(API, ''), token: new Headers(init.headers as Headers).get('authorization') })
    const answer = routes[url.replace(API, '')] ?? failure(404, 'entity_not_found')
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer.clone() : json(200, answer)
  }
  const world = await connect(ORIGIN, { fetch, retries: 0, ...options })
  return { world, sent, urls: () => sent.map(({ url }) => url) }
}

const moon = (slug: string) => ({ '@id': `https://sol.example/${slug}`, slug, mass: slug.length })
const idsOf = async (world: World) =>
  (await world.entities('sol:moon').toArray({ max: 9 })).map(({ id }) => id)
const certaintyOf = (entity: Entity | undefined, key: string) =>
  entity && interpretationOf(entity)?.found[key]?.certainty

test('an id is proved by a request for the entity, once for a world', async () => {
  const items = [moon('io'), moon('europa')]
  const { world, urls } = await answering({ [ROUTE]: { items }, [`${ROUTE}/europa`]: moon('europa') })
  const { entities } = await world.list('sol:moon')
  assert.deepEqual(entities[0], {
    type: 'sol:moon',
    id: 'io',
    attributes: { '@id': 'https://sol.example/io', mass: 2 },
  })
  assert.equal(certaintyOf(entities[0], 'id'), 'proved')
  const first = urls().length
  await world.list('sol:moon')
  assert.equal(urls().length, first + 1)
  assert.deepEqual(profileOf(world), {
    profile: READING,
    names: { entities: 'items', id: 'slug', types: 'kinds' },
    proved: ['entities', 'id'],
  })
})

test('a name that no request confirms stays a guess', async () => {
  const { world, urls } = await answering({
    [ROUTE]: { items: [{ slug: 'io', mass: 2 }] },
    [`${ROUTE}/io`]: { slug: 'other', mass: 9 },
    [`${ROUTE}/2`]: new TypeError('broken'),
  })
  const { entities } = await world.list('sol:moon')
  assert.deepEqual([entities[0]?.id, certaintyOf(entities[0], 'id')], ['io', 'likely'])
  assert.deepEqual(profileOf(world)?.proved, [])
  assert.equal(profileOf(world)?.names.id, 'slug')
  assert.ok(urls().length <= 9)
})

test('types of one world may have different names for the id', async () => {
  const star = { name: 'sun', catalog: 'https://sol.example/sun', mass: 1 }
  const { world } = await answering(
    {
      [ROUTE]: { items: [moon('io')] },
      [`${ROUTE}/io`]: moon('io'),
      '/entities/sol%3Astar': { items: [star] },
      '/entities/sol%3Astar/sun': star,
    },
    {},
    ['sol:moon', 'sol:star'],
  )
  assert.equal((await world.list('sol:moon')).entities[0]?.id, 'io')
  assert.equal((await world.list('sol:star')).entities[0]?.id, 'sun')
  assert.equal((await world.list('sol:moon')).entities[0]?.id, 'io')
})

test('a name proved for one type is proved again for another, and a profile with both is a guess', async () => {
  const star = (code: string) => ({ code, slug: 'io', mass: code.length })
  const comet = { slug: 'encke', mass: 3 }
  const { world } = await answering(
    {
      [ROUTE]: { items: [moon('io')], next: null },
      [`${ROUTE}/io`]: moon('io'),
      '/entities/sol%3Astar': { items: [star('sun'), star('vega')], next: null },
      '/entities/sol%3Astar/vega': star('vega'),
      '/entities/sol%3Acomet': { items: [comet], next: null },
    },
    {},
    ['sol:moon', 'sol:star', 'sol:comet'],
  )
  const id = async (type: string) => {
    const { entities } = await world.list(type)
    return [entities[0]?.id, certaintyOf(entities[0], 'id')]
  }
  assert.deepEqual(await id('sol:moon'), ['io', 'proved'])
  assert.ok(profileOf(world)?.proved.includes('id'))
  assert.deepEqual(await id('sol:star'), ['sun', 'proved'])
  assert.deepEqual(await id('sol:moon'), ['io', 'proved'])
  assert.deepEqual(await id('sol:comet'), ['encke', 'likely'])
  assert.ok(!profileOf(world)?.proved.includes('id'))
  assert.ok(!(await prove(world))?.proved.includes('id'))
})

test('the names of search results are not taken for those of lists', async () => {
  const { world } = await answering({
    [ROUTE]: { items: [moon('io')] },
    [`${ROUTE}/io`]: moon('io'),
    '/actions/wp%3Adiscover': { output: { hits: [moon('io')], weiter: 'x' } },
  })
  await world.list('sol:moon')
  await world.discover({ types: ['sol:moon'] })
  assert.deepEqual(profileOf(world), {
    profile: READING,
    names: { entities: 'items', found: 'hits', id: 'slug', types: 'kinds' },
    proved: ['entities', 'id'],
  })
})

test('a profile makes every proof unnecessary, and a faulty one is refused', async () => {
  const routes = {
    [ROUTE]: { items: [moon('io')], weiter: 'x' },
    [`${ROUTE}?cursor=x`]: { items: [moon('europa')] },
  }
  const profile = profileFrom(
    JSON.parse(`{ "profile": "${READING}", "names": { "id": "slug", "cursor": "weiter",
    "title": "mass" }, "proved": ["id", "cursor"] }`),
  )
  const { world, urls } = await answering(routes, { profile })
  assert.deepEqual(await idsOf(world), ['io', 'europa'])
  assert.deepEqual(urls(), [ROUTE, `${ROUTE}?cursor=x`])
  assert.deepEqual(profileOf(world)?.proved, ['cursor', 'id'])
  assert.equal(profileOf(world)?.names.title, 'mass')
  for (const faulty of [
    null,
    {},
    { ...profile, profile: 'x' },
    { ...profile, names: { id: 5 } },
    { ...profile, proved: 1 },
  ])
    assert.throws(() => profileFrom(faulty), { code: 'invalid_argument' })
})

test('the profile is complete after one page of each type', async () => {
  const routes = {
    [ROUTE]: { items: [moon('io')], weiter: 'x' },
    [`${ROUTE}?cursor=x`]: { items: [moon('europa')] },
    [`${ROUTE}/io`]: moon('io'),
  }
  const { world } = await answering(routes)
  assert.deepEqual(await prove(world), {
    profile: READING,
    names: { entities: 'items', cursor: 'weiter', id: 'slug', types: 'kinds' },
    proved: ['entities', 'cursor', 'id'],
  })
  assert.equal(profileOf({} as World), undefined)
})

test('a link to the next page is requested with the token, but only on the origin of the API', async () => {
  const page = (slug: string, next?: string) =>
    json(
      200,
      [moon(slug)],
      next === undefined ? {} : { link: `<${API}${ROUTE}>; rel=first, <${next}>; rel="next"` },
    )
  const names = { id: 'slug' }
  const { world, sent } = await answering(
    {
      [ROUTE]: page('io', '?page=2'),
      [`${ROUTE}?page=2`]: page('europa', `${API}/more?p=3`),
      '/more?p=3': page('triton'),
    },
    { names, ...SECRET },
  )
  assert.deepEqual(await idsOf(world), ['io', 'europa', 'triton'])
  assert.deepEqual(
    sent.map(({ url, token }) => [url, token]),
    [ROUTE, `${ROUTE}?page=2`, `${ROUTE}?page=2`, '/more?p=3'].map((url) => [url, 'Bearer s3cret']),
  )
  const away = await answering({ [ROUTE]: page('io', 'https://evil.example/more?p=2') }, { names, ...SECRET })
  await assert.rejects(idsOf(away.world), { code: 'invalid_response' })
  assert.ok(away.urls().every((url) => url.startsWith('/entities/')))
})

test('a malformed link does not end a walk', async () => {
  const page = json(200, [moon('io')], { link: '<http://[>; rel="next"' })
  const { world } = await answering({ [ROUTE]: page }, { names: { id: 'slug' } })
  await assert.rejects(idsOf(world), { code: 'invalid_response' })
})

test('a policy sees the links that are requested', async () => {
  const next = `${API}/more?p=2`
  const routes = {
    [ROUTE]: { items: [moon('io')], links: { next } },
    '/more?p=2': { items: [moon('europa')] },
  }
  const allow = ({ pathname }: URL) => !pathname.endsWith('/more')
  const { world, urls } = await answering(routes, { allow, names: { id: 'slug', cursor: 'links.next' } })
  await assert.rejects(idsOf(world), { code: 'insecure_endpoint' })
  assert.deepEqual(urls(), [ROUTE])
})

test('a header given by hand is the cursor', async () => {
  const routes = {
    [ROUTE]: json(200, [moon('io')], { 'x-more': 'b' }),
    [`${ROUTE}?cursor=b`]: [moon('europa')],
  }
  const { world, urls } = await answering(routes, { names: { id: 'slug', cursor: 'header:x-more' } })
  assert.deepEqual(await idsOf(world), ['io', 'europa'])
  assert.equal(urls().length, 2)
})
