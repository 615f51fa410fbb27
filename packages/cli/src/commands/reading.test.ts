import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { runWith } from '../memory-io.fixture.ts'

const MOONS = ['callisto', 'europa', 'ganymede', 'io'].map((id) => ({
  type: 'sol:moon',
  id,
  title: id,
  attributes: { planet: { type: 'sol:planet', id: 'jupiter' } },
}))
const HOSTILE = {
  type: 'sol:planet',
  id: 'evil',
  title: '\u001b[2Jgone\u202e',
  attributes: { 'k\u0007': 'v\u009b' },
}

async function solarSystem(): Promise<typeof fetch> {
  const store = createMemoryStore()
  await store.write([...MOONS, HOSTILE].map((put) => ({ put })))
  const types = [{ type: 'sol:moon', title: 'Moon' }, { type: 'sol:planet' }]
  const world = createWorld({
    id: 'urn:x:sol',
    name: 'Sol\u001b[1m',
    types,
    store,
    publicUrl: 'https://sol.example',
  })
  const answer = toFetch(world)
  return async (input, init) => answer(new Request(input, init))
}

test('show prints the discovery document as text or JSON', async () => {
  const fetch = await solarSystem()
  const people = await runWith(['show', 'sol.example'], { fetch })
  assert.equal(people.code, 0)
  assert.match(people.out, /^Sol\\u001b\[1m\n/)
  assert.match(people.out, /api +https:\/\/sol\.example\/api\/world\/v0\n/)
  assert.match(people.out, /sol:moon +Moon/)
  const json = await runWith(['show', 'https://sol.example', '--json'], { fetch })
  assert.equal(JSON.parse(json.out).world.name, 'Sol\u001b[1m')
})

test('list prints a page and the cursor of the next page', async () => {
  const fetch = await solarSystem()
  const first = await runWith(['list', 'sol.example', 'sol:moon', '--limit', '3', '--json'], { fetch })
  assert.deepEqual(
    first.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
    ['callisto', 'europa', 'ganymede'],
  )
  const cursor = /--cursor (\S+),/.exec(first.err)?.[1]
  assert.ok(cursor)
  const second = await runWith(['list', 'sol.example', 'sol:moon', '--cursor', cursor], { fetch })
  assert.match(second.out, /^ID +TITLE\nio +io\n$/)
  assert.doesNotMatch(second.err, /--cursor/)
})

test('list --all prints every page under one heading', async () => {
  const fetch = await solarSystem()
  const table = await runWith(['list', 'sol.example', 'sol:moon', '--all', '--limit', '1'], { fetch })
  assert.deepEqual(
    table.out.split('\n').map((line) => line.split(' ')[0]),
    ['ID', 'callisto', 'europa', 'ganymede', 'io', ''],
  )
})

test('get prints one entity, and escapes control characters', async () => {
  const fetch = await solarSystem()
  const people = await runWith(['get', 'sol.example', 'sol:planet', 'evil'], { fetch })
  assert.match(people.out, /title +\\u001b\[2Jgone\\u202e\n/)
  assert.match(people.out, /k\\u0007 +v\\u009b\n/)
  const json = await runWith(['get', 'sol.example', 'sol:planet', 'evil', '--json'], { fetch })
  for (const raw of ['\u001b', '\u009b', '\u202e']) assert.equal(json.out.includes(raw), false)
  assert.equal(JSON.parse(json.out).title, HOSTILE.title)
})

test('discover searches by words and types', async () => {
  const fetch = await solarSystem()
  const found = await runWith(['discover', 'sol.example', 'europa', '--type', 'sol:moon', '--json'], {
    fetch,
  })
  assert.deepEqual([found.code, JSON.parse(found.out).id], [0, 'europa'])
  const none = await runWith(['discover', 'sol.example', 'europa', '--type', 'sol:planet'], { fetch })
  assert.deepEqual([none.code, none.out], [0, ''])
  assert.match(none.err, /^0 matches/)
  const some = await runWith(['discover', 'sol.example', '--limit', '2'], { fetch })
  assert.match(some.out, /^TYPE +ID +TITLE\nsol:moon +callisto/)
  assert.match(some.err, /5 matches \(sol:moon 4, sol:planet 1\); 2 shown/)
  const cursor = /there are more: --cursor (\S+), or --all/.exec(some.err)?.[1] ?? ''
  const next = await runWith(['discover', 'sol.example', '--limit', '1', '--cursor', cursor], { fetch })
  assert.equal(next.out.trimEnd().split('\n').length, 2)
  const all = await runWith(['discover', 'sol.example', '--limit', '2', '--all'], { fetch })
  assert.equal(all.out.trimEnd().split('\n').length, 6)
  assert.equal(all.err.trimEnd(), '5 matches (sol:moon 4, sol:planet 1)')
})

test('discover --all fails if a world with more matches gives no cursor', async () => {
  const whole = await solarSystem()
  const fetch: typeof whole = async (url, init) => {
    const response = await whole(url, init)
    if (!String(url).endsWith('wp%3Adiscover')) return response
    const { output } = Object(await response.json())
    return Response.json({ output: { ...output, nextCursor: undefined } })
  }
  const { code, out, err } = await runWith(['discover', 'sol.example', '--limit', '2', '--all'], { fetch })
  assert.deepEqual([code, out.trimEnd().split('\n').length], [1, 3])
  assert.match(err, /The world gives no cursor after 2 matches: try a higher --limit\.\n$/)
})

test('a failed command exits with 1 and prints the error object with --json', async () => {
  const fetch = await solarSystem()
  const { code, out, err } = await runWith(['get', 'sol.example', 'sol:moon', 'titan', '--json'], { fetch })
  assert.deepEqual([code, out], [1, ''])
  assert.deepEqual(JSON.parse(err.trimEnd().split('\n').at(-1) ?? ''), {
    status: 404,
    code: 'entity_not_found',
    details: { type: 'sol:moon', id: 'titan' },
    url: 'https://sol.example/api/world/v0/entities/sol%3Amoon/titan',
  })
})

test('the default scheme is https, or http on loopback', async () => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(new Request(input).url)
    return Response.json({ code: 'no' }, { status: 400 })
  }
  for (const origin of ['sol.example', 'localhost:8080', '127.0.0.1:1', '[::1]:8080', 'http://sol.example']) {
    assert.equal((await runWith(['show', origin], { fetch })).code, 1)
  }
  assert.deepEqual(
    asked.map((url) => new URL(url).origin),
    [
      'https://sol.example',
      'http://localhost:8080',
      'http://127.0.0.1:1',
      'http://[::1]:8080',
      'http://sol.example',
    ],
  )
})

test('the token is read from the flag or from WORLD_TOKEN', async () => {
  const answer = await solarSystem()
  const tokens: (string | null)[] = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (request.url.includes('/entities/')) tokens.push(request.headers.get('authorization'))
    return answer(request)
  }
  const argv = ['get', 'sol.example', 'sol:moon', 'io']
  const env = { WORLD_TOKEN: 'from-env' }
  await runWith(argv, { fetch })
  await runWith(argv, { fetch, env })
  await runWith([...argv, '--token', 'from-flag'], { fetch, env })
  assert.deepEqual(tokens, [null, 'Bearer from-env', 'Bearer from-flag'])
})

/** Returns a `fetch` for a world with non-standard member names that lists five moons in pages of two. */
function otherNames(cursor = 'after'): typeof fetch {
  const moons = ['callisto', 'europa', 'ganymede', 'io', 'thebe'].map((slug, number) => ({
    slug,
    label: slug.toUpperCase(),
    number,
  }))
  return async (input) => {
    const { pathname, searchParams } = new URL(new Request(input).url)
    if (pathname === '/.well-known/world.json')
      return Response.json({
        protocol: 'world/0.1',
        endpoints: { api: 'https://other.example/api' },
        worldIdentifier: 'urn:x:other',
        title: 'Other',
        kinds: { sol: ['moon'] },
        verbs: ['wp:discover'],
      })
    if (pathname.endsWith('/entities/sol%3Amoon')) {
      const from = Number(searchParams.get('cursor')?.slice(1) ?? 0)
      const to = from + Math.min(Number(searchParams.get('limit') ?? 2), 2)
      const page = { data: moons.slice(from, to), [cursor]: to < moons.length ? `c${to}` : null }
      return Response.json({ page })
    }
    if (pathname.endsWith('/io')) return Response.json({ moon: moons[3] })
    if (pathname.endsWith('wp%3Adiscover'))
      return Response.json({ hits: [{ rank: 1, item: { kind: 'sol:moon', ...moons[3] } }] })
    return Response.json({ error: { code: 4, message: 'No such thing.' } }, { status: 404 })
  }
}

test('the reading commands work with a world that uses non-standard member names', async () => {
  const fetch = otherNames()
  const shown = await runWith(['show', 'other.example'], { fetch })
  assert.match(shown.out, /^Other\n/)
  assert.match(shown.out, /id +urn:x:other\n/)
  assert.match(shown.out, /TYPE.*\nsol:moon/)
  assert.match(shown.out, /guessed +world=worldIdentifier, worldName=title, types=kinds, actions=verbs\n/)
  assert.match(shown.out, /ACTION.*\nwp:discover/)
  const listed = await runWith(['list', 'other.example', 'sol:moon', '--all'], { fetch })
  assert.deepEqual(listed.out.match(/^\w+ {2,}\w+$/gm)?.length, 6)
  assert.match(listed.out, /^ID +TITLE\ncallisto +CALLISTO\n/)
  const first = await runWith(['list', 'other.example', 'sol:moon', '--json'], { fetch })
  assert.deepEqual(JSON.parse(first.out.split('\n')[0] ?? ''), {
    slug: 'callisto',
    label: 'CALLISTO',
    number: 0,
  })
  assert.match(first.err, /--cursor c2, or --all/)
  const one = await runWith(['get', 'other.example', 'sol:moon', 'io'], { fetch })
  assert.match(one.out, /type +sol:moon\nid +io\ntitle +IO\n\nnumber +3\n/)
  const found = await runWith(['discover', 'other.example', 'io'], { fetch })
  assert.match(found.out, /sol:moon +io +IO\n/)
  assert.match(found.err, /^1 entity shown\.\nGuessed, not proved: title=label\. .*\n$/)
  const typed = await runWith(['types', 'other.example'], { fetch })
  assert.match(typed.out, /"sol:moon": JsonValue/)
  assert.match(typed.err, /Guessed, not proved: .*types=kinds/)
  assert.match(one.err, /Guessed, not proved: .*title=label/)
  const failed = await runWith(['get', 'other.example', 'sol:moon', 'no'], { fetch })
  assert.match(failed.err, /No such thing\. \(4, status 404\)/)
})

test('a cursor with any name is found by where it leads', async () => {
  const fetch = otherNames('weiter')
  const argv = ['list', 'other.example', 'sol:moon']
  const page = await runWith(argv, { fetch })
  assert.match(page.err, /There are more: --cursor c2/)
  assert.match(page.err, /Guessed, not proved: entities=page\.data,id=slug,title=label\. If one is wrong/)
  const all = await runWith([...argv, '--all', '--json'], { fetch })
  assert.deepEqual([all.code, all.out.trimEnd().split('\n').length], [0, 5])
})

test('a list with an unrecognised cursor is not reported as complete', async () => {
  const fetch = otherNames('restOfType')
  const argv = ['list', 'other.example', 'sol:moon']
  const page = await runWith(argv, { fetch })
  assert.match(page.err, /Whether there are more is not recognised/)
  const all = await runWith([...argv, '--all', '--json'], { fetch })
  assert.equal(all.code, 1)
  assert.match(
    all.err,
    /A list of https:\/\/other\.example, or its end, was not .* page\.data, page\.restOfType/,
  )
  const named = await runWith([...argv, '--all', '--json', '--names', 'cursor=page.restOfType'], { fetch })
  assert.deepEqual([named.code, named.out.trimEnd().split('\n').length], [0, 5])
})

test('unrecognised members are reported, and an invalid --names is refused', async () => {
  const document = { protocol: 'world/0.1', endpoints: { api: 'https://bare.example/api' } }
  const fetch = async () => Response.json(document)
  const shown = await runWith(['show', 'bare.example'], { fetch })
  assert.match(shown.out, /id +not recognised\n/)
  assert.match(shown.out, /TYPE.*\nnot recognised\n/)
  assert.match(shown.err, /see --json/)
  const typed = await runWith(['types', 'bare.example'], { fetch })
  assert.deepEqual([typed.code, typed.out], [1, ''])
  assert.match(typed.err, /--names types=PATH/)
  for (const names of ['cursor', 'no=x', 'constructor=x', ''])
    assert.equal((await runWith(['show', 'bare.example', '--names', names], { fetch })).code, 2, names)
})

test('call prints the output of an action, or with --json the whole response', async () => {
  const fetch = await solarSystem()
  const input = JSON.stringify({ types: ['sol:moon', 'sol:ring'], limit: 1 })
  const called = await runWith(['call', 'sol.example', 'wp:discover', '--input', input], { fetch })
  assert.equal(called.code, 0)
  assert.equal(JSON.parse(called.out).total, 4)
  assert.match(called.err, /\/input\/types\/1: This world has no entity type sol:ring\./)
  const whole = await runWith(['call', 'sol.example', 'wp:discover', '--json'], { fetch })
  assert.equal(JSON.parse(whole.out).action, 'wp:discover')
  const unknown = await runWith(['call', 'sol.example', 'sol:none'], { fetch })
  assert.equal(unknown.code, 1)
  assert.match(unknown.err, /unknown_action/)
  for (const bad of ['{', '[]', '@none.json']) {
    assert.equal((await runWith(['call', 'sol.example', 'wp:discover', '--input', bad], { fetch })).code, 2)
  }
})

test('list --all fails if the list ends before its total or repeats a cursor', async () => {
  const first = { entities: [{ type: 'sol:moon', id: 'io', attributes: {} }], total: 3, nextCursor: 'a' }
  for (const [last, words] of [
    [{ ...first, nextCursor: undefined }, /ended after 2 of 3 entities/],
    [{ ...first, total: 1, nextCursor: undefined }, /ended after 2 of 3 entities/],
    [{ entities: [], total: 3 }, /ended after 1 of 3 entities/],
    [first, /pagination_loop/],
  ] as const) {
    const fetch: typeof globalThis.fetch = async (input) => {
      const url = new URL(String(input))
      if (url.pathname.startsWith('/.well-known'))
        return Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://sol.example/api' } })
      return Response.json(url.searchParams.has('cursor') ? last : first)
    }
    const { code, err } = await runWith(['list', 'sol.example', 'sol:moon', '--all'], { fetch })
    assert.equal(code, 1, err)
    assert.match(err, words)
  }
})
