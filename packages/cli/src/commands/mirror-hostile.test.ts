import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../memory-io.fixture.ts'
import { mirrorIn } from '../mirror/mirror.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const ORIGIN = 'https://sol.example'
const API = `${ORIGIN}/api/world/v0`
const DOCUMENT = {
  protocol: 'world/0.1',
  world: { id: 'urn:example:sol' },
  endpoints: { api: API },
  entityTypes: [{ type: 'sol:moon' }],
}
const SAYS_CHANGES = { ...DOCUMENT, extensions: { 'worldwright:changes': { path: 'changes' } } }
const moon = (id: string) => ({ type: 'sol:moon', id, attributes: {} })
const put = (id: string, entity: object) => ({
  op: 'put',
  type: 'sol:moon',
  id,
  revision: 'r',
  position: '1',
  next: `after ${id}`,
  entity,
})

type Answer = (url: URL) => object | Response

/** Returns a `fetch` that serves `document` as the discovery document and calls `answer` for all other requests. */
function worldOf(document: object, answer: Answer): typeof fetch {
  return async (input) => {
    const url = new URL(String(input))
    const body = url.pathname.startsWith('/.well-known') ? document : answer(url)
    return body instanceof Response ? body : Response.json(body)
  }
}

const expired = () =>
  Response.json({ code: 'changes_expired', message: 'Too old.', details: {} }, { status: 410 })

let pages = 0
const BAD: readonly (readonly [string, object, Answer, RegExp])[] = [
  [
    'an endless chain of cursors',
    DOCUMENT,
    () => ({ entities: [moon('io')], nextCursor: `${++pages}` }),
    /same entities again and again/,
  ],
  [
    'an entity of the wrong type in a list',
    DOCUMENT,
    () => ({ entities: [{ ...moon('io'), type: 'sol:sun' }] }),
    /sol:sun/,
  ],
  [
    'a deeply nested entity with other names than ours',
    DOCUMENT,
    () => {
      const item = `{"slug":"io","kind":"sol:moon","a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
      return new Response(`{"items":[${item}],"next":null}`)
    },
    /Skipped sol:moon: The list has an entity that is too large or nested too deeply/,
  ],
  [
    'two entities with the same id on a page',
    DOCUMENT,
    () => ({ entities: [moon('io'), { ...moon('io'), title: 'Io' }] }),
    /several entities with the id io\. If that is no id, name it: --names id=PATH/,
  ],
  [
    'entities that share what is guessed to be their id',
    DOCUMENT,
    ({ pathname, searchParams }) => {
      if (!pathname.endsWith('sol%3Amoon')) return new Response(null, { status: 404 })
      const km = Number(searchParams.get('cursor'))
      return {
        items: [
          { code: km === 1 ? 'b' : 'a', km },
          { code: `${km}`, km },
        ],
        next: km < 2 ? `${km + 1}` : null,
      }
    },
    /several entities with the id a\./,
  ],
  ['an entity without an id', DOCUMENT, () => ({ entities: [{ ...moon('io'), id: '' }] }), /no id/],
  ['a page that is cut off', DOCUMENT, () => new Response('{"entities":['), /not|valid/i],
  [
    'a change that contains a different entity',
    SAYS_CHANGES,
    () => ({ changes: [put('io', moon('europa'))], next: 'x', more: false, position: '1' }),
    /another entity than it names/,
  ],
  [
    'a change without its entity',
    SAYS_CHANGES,
    () => ({ changes: [{ ...put('io', {}), entity: undefined }], next: 'x', more: false, position: '1' }),
    /another entity than it names/,
  ],
  [
    'a page of changes that leads back to itself',
    SAYS_CHANGES,
    () => ({ changes: [], next: 'x', more: true, position: '1' }),
    /pagination_loop/,
  ],
  [
    'offsets that keep expiring immediately',
    SAYS_CHANGES,
    (url) =>
      url.searchParams.has('since')
        ? expired()
        : { changes: [put('io', moon('io'))], next: 'x', more: true, position: '1' },
    /Reading all of it again[\s\S]*changes_expired/,
  ],
]

for (const [name, document, answer, words] of BAD) {
  test(`a world with ${name} is not mirrored and does not change an existing mirror`, async (t) => {
    const cwd = await folderOf(t, {})
    const folder = join(cwd, 'sol')
    const mirror = (bad: typeof fetch) => runWith(['mirror', ORIGIN, 'sol'], { cwd, fetch: bad })
    const first = await mirror(worldOf(document, answer))
    assert.equal(first.code, 1, first.err)
    assert.match(first.err, words)
    assert.deepEqual((await mirrorIn(folder)).names, [])
    const good = worldOf(DOCUMENT, () => ({ entities: [moon('io'), moon('europa')] }))
    assert.equal((await mirror(good)).code, 0)
    const before = await mirrorIn(folder)
    assert.equal(before.entities.length, 2)
    assert.equal((await mirror(worldOf(document, answer))).code, 1)
    const after = await mirrorIn(folder)
    assert.deepEqual(
      [after.names, after.manifest, after.entities],
      [before.names, before.manifest, before.entities],
    )
  })
}

test('types with names that differ only in case or punctuation have separate files', async (t) => {
  const cwd = await folderOf(t, {})
  const types = ['a:b-c', 'a-b:c', 'a:B', 'a:b', 'a.b:c', 'a:b.c']
  const world = worldOf({ ...DOCUMENT, entityTypes: types.map((type) => ({ type })) }, ({ pathname }) => {
    const type = decodeURIComponent(pathname.split('/').at(-1) ?? '')
    return { entities: [{ type, id: 'one', attributes: {} }], total: 1 }
  })
  const { code, err } = await runWith(['mirror', ORIGIN, 'sol'], { cwd, fetch: world })
  assert.equal(code, 0, err)
  const { manifest, entities } = await mirrorIn(join(cwd, 'sol'))
  const files = Object.values<{ file: string }>(manifest.types).map(({ file }) => file.toLowerCase())
  assert.equal(new Set(files).size, types.length)
  assert.equal(entities.length, types.length)
})

test('a world with non-standard member names is mirrored, including its licence', async (t) => {
  const cwd = await folderOf(t, {})
  const document = {
    protocol: 'world/0.1',
    id: 'urn:example:sol',
    license: 'CC0-1.0',
    endpoints: { api: API },
    kinds: ['sol:moon'],
  }
  const world = worldOf(document, () => ({
    items: [{ type: 'sol:moon', id: 'io', data: { km: 1 } }],
    next: null,
  }))
  const { code, err } = await runWith(['mirror', ORIGIN, 'sol'], { cwd, fetch: world })
  assert.equal(code, 0, err)
  const { manifest, entities } = await mirrorIn(join(cwd, 'sol'))
  assert.equal(manifest.world.license, 'CC0-1.0')
  assert.deepEqual(
    entities.map((line) => JSON.parse(line)),
    [{ type: 'sol:moon', id: 'io', attributes: { km: 1 } }],
  )
})

test('pages whose cursor is in a header are read whole again, though the world sends them only once', async (t) => {
  const cwd = await folderOf(t, {})
  const kinds = { protocol: 'world/0.1', endpoints: { api: API }, kinds: ['sol:moon'] }
  const slugs = ['io', 'europa', 'ganymede']
  let unchanged = 0
  const world: typeof fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(String(input))
    if (pathname.startsWith('/.well-known')) return Response.json(kinds)
    const id = slugs.find((slug) => pathname.endsWith(`/${slug}`))
    if (id) return Response.json({ slug: id, kind: 'sol:moon', name: id })
    const at = Number(searchParams.get('cursor'))
    const etag = `"${at} ${searchParams.get('limit')}"`
    if (new Headers(init?.headers).get('if-none-match') === etag) {
      unchanged += 1
      return new Response(null, { status: 304, headers: { etag } })
    }
    const next = at + 1 < slugs.length && `<${API}/entities/sol%3Amoon?cursor=${at + 1}>; rel="next"`
    const headers = { etag, ...(next && { link: next }) }
    return Response.json([{ slug: slugs[at], kind: 'sol:moon', name: slugs[at] }], { headers })
  }
  for (const run of [1, 2]) {
    const { code, err } = await runWith(['mirror', ORIGIN, 'sol'], { cwd, fetch: world })
    assert.equal(code, 0, err)
    const { names, entities } = await mirrorIn(join(cwd, 'sol'))
    assert.equal(entities.length, 3, `${run}: ${err}`)
    assert.ok(!names.includes('deletions.ndjson'))
  }
  assert.ok(unchanged >= 3, `${unchanged}`)
})
