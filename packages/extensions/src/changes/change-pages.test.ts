import assert from 'node:assert/strict'
import { setIndexRules } from '../../../core/src/store/index-rules.ts'
import { positionNow } from '../../../core/src/store/positions.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { CHANGES, overStores } from './changes.fixture.ts'

type Shown = { op: string; type: string; id: string }

function shown({ op, type, id }: Shown): string {
  return `${op} ${type.slice(4)} ${id}`
}

const DAY_MS = 24 * 60 * 60 * 1_000

overStores('changes are listed from the beginning or since an offset', async ({ world }) => {
  const { put, remove, asked, store, send } = await world()
  await put('moon', 'io', 'vulcan')
  await remove('moon', 'vulcan')
  const first = await asked()
  assert.deepEqual(first.changes.map(shown), ['put moon io', 'delete moon vulcan'])
  const { revision } = (await store.get('sol:moon', 'io')) ?? assert.fail()
  assert.equal(first.changes[0].revision, revision)
  assert.deepEqual(Object.keys(first.changes[0]), ['op', 'type', 'id', 'revision', 'position', 'next'])
  assert.deepEqual(Object.keys(first.changes[1]), ['op', 'type', 'id', 'position', 'next'])
  assert.deepEqual([first.more, first.position], [false, await positionNow(store)])
  assert.deepEqual(first.versions, { 'sol:moon': await positionNow(store) })
  assert.deepEqual((await asked(`since=${first.next}`)).changes, [])
  await put('planet', 'mars')
  const second = await asked(`since=${first.next}`)
  assert.deepEqual(second.changes.map(shown), ['put planet mars'])
  assert.equal((await send(CHANGES)).headers['cache-control'], 'no-store')
})

overStores('each page continues the previous one, and only the last has more: false', async ({ world }) => {
  const { put, asked } = await world()
  await put('moon', 'a', 'b', 'c')
  const seen: string[] = []
  for (let page = await asked('limit=1'); ; page = await asked(`limit=1&since=${page.next}`)) {
    seen.push(...page.changes.map(shown), page.more)
    assert.equal(page.versions === undefined, page.more)
    if (!page.more) break
  }
  assert.deepEqual(seen, ['put moon a', true, 'put moon b', true, 'put moon c', false])
})

overStores('a follower can resume after any change on a page', async ({ world }) => {
  const { put, asked } = await world()
  await put('moon', 'a', 'b', 'c')
  const { changes } = await asked('types=sol:moon')
  assert.deepEqual((await asked(`types=sol:moon&since=${changes[2].next}`)).changes, [])
  const after = await asked(`types=sol:moon&since=${changes[0].next}`)
  assert.deepEqual(after.changes, changes.slice(1))
})

overStores('entities=true includes entities as they are served', async ({ world }) => {
  const { put, remove, asked, store } = await world()
  await put('moon', 'io', 'vulcan')
  await remove('moon', 'vulcan')
  const [io, vulcan] = (await asked('entities=true')).changes
  assert.equal(JSON.stringify(io.entity), (await store.get('sol:moon', 'io'))?.json)
  assert.equal('entity' in vulcan, false)
  assert.equal('entity' in (await asked('entities=false')).changes[0], false)
})

overStores('types may be in one parameter or several, in any order', async ({ world }) => {
  const { put, asked } = await world()
  await put('moon', 'io')
  await put('planet', 'mars')
  const both = await asked('types=sol:planet,sol:moon')
  assert.deepEqual(both.changes.map(shown), ['put moon io', 'put planet mars'])
  assert.deepEqual((await asked('types=sol:planet')).changes.map(shown), ['put planet mars'])
  assert.deepEqual((await asked('types=sol:none')).changes, [])
  await put('moon', 'europa')
  const since = await asked(`types=sol:moon&types=sol%3Aplanet&since=${both.next}`)
  assert.deepEqual(since.changes.map(shown), ['put moon europa'])
})

overStores('since=now returns no changes', async ({ world }) => {
  const { put, asked, store } = await world()
  await put('moon', 'io')
  const now = await asked('since=now')
  assert.deepEqual([now.changes, now.more, now.position], [[], false, await positionNow(store)])
  await put('moon', 'europa')
  assert.deepEqual((await asked(`since=${now.next}`)).changes.map(shown), ['put moon europa'])
})

overStores('limit=0 returns no changes and skips none', async ({ world }) => {
  const { put, asked } = await world()
  assert.equal((await asked('limit=0')).more, false)
  await put('moon', 'io', 'europa')
  const none = await asked('limit=0')
  assert.deepEqual([none.changes, none.more], [[], true])
  const one = await asked(`limit=1&since=${none.next}`)
  assert.deepEqual(one.changes.map(shown), ['put moon europa'])
  const again = await asked(`limit=0&since=${one.next}`)
  assert.deepEqual([again.changes, again.more], [[], true])
  assert.deepEqual((await asked(`since=${again.next}`)).changes.map(shown), ['put moon io'])
})

overStores('a page has at most 1,000 changes, 100 by default, and 4 MiB of entities', async ({ world }) => {
  const { put, asked, store } = await world()
  await put('moon', ...Array.from({ length: 1_001 }, (_, index) => String(index)))
  assert.equal((await asked()).changes.length, 100)
  assert.equal((await asked('limit=5000')).changes.length, 1_000)
  const { next } = await asked('since=now')
  const attributes = { text: '火'.repeat(60_000) }
  for (let index = 0; index < 30; index++)
    await store.write([{ put: { type: 'sol:moon', id: `large-${index}`, attributes } }])
  const page = await asked(`since=${next}&entities=true`)
  assert.deepEqual([page.changes.length, page.more], [23, true])
  assert.equal((await asked(`since=${page.next}`)).changes[0].id, 'large-23')
})

overStores('parameters are validated strictly', async ({ world }) => {
  const { send } = await world()
  const many = Array.from({ length: 33 }, (_, index) => `sol:t${index}`).join(',')
  const refused = [
    ['limit=-1', 'limit', 'too_small'],
    ['limit=x', 'limit', 'not_integer'],
    ['limit=1&limit=1', 'limit', 'repeated'],
    ['since=a&since=b', 'since', 'repeated'],
    ['entities=yes', 'entities', 'not_allowed'],
    ['entities', 'entities', 'not_allowed'],
    ['types=moon', 'types', 'malformed'],
    ['types=', 'types', 'malformed'],
    ['types=sol:moon,,sol:planet', 'types', 'malformed'],
    ['types=%zz', 'types', 'malformed'],
    [`types=${many}`, 'types', 'too_many'],
  ]
  for (const [query, name, reason] of refused) {
    const response = await send(`${CHANGES}?${query}`)
    assert.equal(response.status, 400, query)
    const { code, details } = response.json()
    assert.equal(code, 'invalid_parameter', query)
    assert.deepEqual(details.fields[0], { in: 'query', name, reason }, query)
  }
  assert.equal((await send(`${CHANGES}?other=%zz`)).status, 200)
})

overStores('an offset for other types, or a malformed or damaged one, is refused', async ({ world }) => {
  const { put, asked, send } = await world()
  await put('moon', 'io')
  const { next } = await asked()
  const moons = (await asked('types=sol:moon')).next
  const damaged = `${next.slice(0, -2)}${next.endsWith('AA') ? 'BB' : 'AA'}`
  const refused = [
    [`since=${next}&types=sol:moon`, 'checksum'],
    [`since=${moons}`, 'checksum'],
    [`since=${moons}&types=sol:moon,sol:planet`, 'checksum'],
    [`since=${'A'.repeat(2_049)}`, 'too_long'],
    ['since=', 'empty'],
    ['since=io', 'malformed'],
  ]
  for (const [query, reason] of refused) {
    const response = await send(`${CHANGES}?${query}`)
    assert.deepEqual([response.status, response.json().code], [400, 'invalid_cursor'], query)
    assert.equal(response.json().details.reason, reason, query)
  }
  const { code } = (await send(`${CHANGES}?since=${damaged}`)).json()
  assert.equal(code, 'invalid_cursor')
})

overStores('an offset that contains an id of maximum length is accepted', async ({ world }) => {
  const { put, asked } = await world()
  await put('moon', ...['\\', '"', '火'].map((one) => one.repeat(512 / Buffer.byteLength(one))))
  for (let page = await asked('limit=1'); page.more; page = await asked(`limit=1&since=${page.next}`))
    assert.equal(page.changes.length, 1)
})

overStores('an offset older than the retained tombstones has expired', async ({ world }) => {
  const clock = { time: new Date('2026-01-01T00:00:00Z') }
  const { put, remove, asked, send, store } = await world({}, { now: () => clock.time })
  await put('moon', 'io', 'vulcan')
  const { next } = await asked()
  await remove('moon', 'vulcan')
  clock.time = new Date(clock.time.getTime() + 91 * DAY_MS)
  await put('moon', 'europa')
  const response = await send(`${CHANGES}?since=${next}`)
  assert.deepEqual([response.status, response.json().code], [410, 'changes_expired'])
  const { earliest } = await store.changes({ limit: 1 })
  assert.deepEqual(response.json().details, { earliest, restart: 'Ask without since.' })
  assert.equal((await asked()).earliest, earliest)
})

overStores('an offset from a different history of the same world has expired', async ({ world }) => {
  const before = await world()
  await before.put('moon', 'io')
  const { next } = await before.asked()
  const restored = await world()
  const response = await restored.send(`${CHANGES}?since=${next}`)
  assert.deepEqual([response.status, response.json().code], [410, 'changes_expired'])
})

overStores('reading changes requires read access to the world', async ({ world }) => {
  const admit = () => {
    throw new WorldFault('unauthenticated', 'This request needs a token.')
  }
  const { send } = await world({ admit })
  assert.equal((await send(CHANGES)).status, 401)
})

overStores('changes are served under the API path', async ({ world }) => {
  const { send } = await world({ apiUrl: 'https://api.sol.example/v1' })
  assert.equal((await send('/v1/changes')).status, 200)
  assert.equal((await send(CHANGES)).status, 404)
  const head = await send('/v1/changes', {}, 'HEAD')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await send('/v1/changes', {}, 'POST')).status, 405)
})

overStores('discovery declares the change log and the index rules', async ({ world }) => {
  const { send, store } = await world()
  const declared = async () =>
    (await send('/.well-known/world.json')).json().extensions['worldwright:changes']
  assert.deepEqual(await declared(), {
    path: 'changes',
    where: true,
    retentionDays: 90,
    limits: { default: 100, max: 1_000, maxTypes: 32 },
    formats: ['application/json', 'application/x-ndjson', 'text/event-stream'],
    indexRules: {},
    searchSynonyms: [],
  })
  await setIndexRules(store, { 'sol:moon': { remark: { weight: 5 } } })
  assert.deepEqual((await declared()).indexRules, { 'sol:moon': { remark: { weight: 5 } } })
})
