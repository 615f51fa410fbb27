import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8Length } from '../store/bytes.ts'
import { createMemoryStore } from '../store/memory.ts'
import { createWorld } from './handler.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN, overStores, pieces } from './world.fixture.ts'

const MOONS = `${API}/entities/sol:moon`

overStores('a page has a cursor if and only if more entities exist', async ({ sol }) => {
  const { send } = await sol()
  const pagesOf = async (limit: number) => {
    const sizes: number[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = (await send('GET', `${MOONS}?limit=${limit}${cursor && `&cursor=${cursor}`}`)).json()
      sizes.push(page.entities.length)
      assert.ok(sizes.length <= 6, 'a walk without end')
      cursor = page.nextCursor
    }
    return sizes
  }
  // There are six moons.
  assert.deepEqual(await pagesOf(1), [1, 1, 1, 1, 1, 1])
  assert.deepEqual(await pagesOf(3), [3, 3])
  assert.deepEqual(await pagesOf(5), [5, 1])
  assert.deepEqual(await pagesOf(6), [6])
  assert.deepEqual(await pagesOf(7), [6])
})

overStores('entities and pages are served with exactly the expected header fields', async ({ sol }) => {
  const { send } = await sol()
  for (const target of [`${MOONS}/io`, MOONS]) {
    const { status, headers, text } = await send('GET', target)
    const { etag, ...others } = headers
    assert.equal(status, 200)
    assert.match(etag ?? '', /^W\/"[^"]+"$/)
    assert.deepEqual(others, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  }
})

overStores('the entity tag of a page contains its format, type version and limit', async ({ sol }) => {
  const { send, store } = await sol()
  const tagOf = async (query = '') => (await send('GET', MOONS + query)).headers['etag'] ?? ''
  const three = await tagOf('?limit=3')
  const [, version = ''] = /^W\/"1-([^"]+)-3"$/.exec(three) ?? []
  assert.notEqual(version, '')
  assert.equal(await tagOf(), `W/"1-${version}-50"`)
  assert.equal(await tagOf('?limit=201'), `W/"1-${version}-200"`)
  assert.equal(await tagOf('?limit=0'), `W/"1-${version}-0"`)
  assert.equal((await send('GET', `${MOONS}?limit=2`, { 'if-none-match': three })).status, 200)
  await store.write([{ put: { type: 'sol:moon', id: 'io', title: 'IO', attributes: { new: true } } }])
  assert.notEqual(await tagOf('?limit=3'), three)
})

/** Creates a world of moons with the given sizes in bytes, and functions to query it. */
async function heavyMoons(sizes: readonly number[]) {
  const store = createMemoryStore()
  const moon = (id: string, text: string) => ({ put: { type: 'sol:moon', id, attributes: { text } } })
  await store.write([moon('m00', '')])
  const bare = utf8Length((await store.get('sol:moon', 'm00'))?.json ?? '')
  const moons = sizes.map((bytes, index) => {
    const rest = bytes - bare
    return moon(`m${String(index).padStart(2, '0')}`, 'é'.repeat(rest >> 1) + 'x'.repeat(rest & 1))
  })
  await store.write(moons)
  const { handle } = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })
  const json = async (answer: ReturnType<typeof handle>) =>
    JSON.parse(Buffer.from((await answer).body as Uint8Array).toString())
  return {
    list: (query: string) => json(handle({ method: 'GET', target: MOONS + query, headers: {} })),
    async discover(input: object) {
      const body = pieces(JSON.stringify({ input }))
      const target = `${API}/actions/wp:discover`
      return (await json(handle({ method: 'POST', target, headers: JSON_TYPE, body }))).output
    },
  }
}

const idsOf = ({ entities }: { entities: { id: string }[] }) => entities.map(({ id }) => id)

test('a page ends at 4 MiB of entities, and its cursor returns the rest', async () => {
  const { list, discover } = await heavyMoons(Array(18).fill(262_144))
  const page = await list('?limit=50')
  assert.deepEqual([page.entities.length, page.limit, page.total], [16, 50, 18])
  const rest = await list(`?limit=50&cursor=${page.nextCursor}`)
  assert.deepEqual([idsOf(rest), 'nextCursor' in rest], [['m16', 'm17'], false])
  const found = await discover({ limit: 50 })
  assert.deepEqual([found.entities.length, found.truncated, found.total], [16, true, 18])
  assert.deepEqual(idsOf(await discover({ limit: 50, cursor: found.nextCursor })), ['m16', 'm17'])
})

test('an entity larger than 4 MiB gets a page of its own', async () => {
  const { list } = await heavyMoons([1_000, 5_000_000, 1_000])
  const pages: string[][] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page = await list(cursor && `?cursor=${cursor}`)
    pages.push(idsOf(page))
    assert.ok(pages.length <= 3, 'a walk without end')
    cursor = page.nextCursor
  }
  assert.deepEqual(pages, [['m00'], ['m01'], ['m02']])
})
