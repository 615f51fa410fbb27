import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveShape, THINGS, TYPES } from '../../../client/src/foreign/shapes.fixture.ts'
import { runWith } from '../memory-io.fixture.ts'
import { folderOf } from '../serving.fixture.ts'

const PROFILE = { profile: 'worldwright/reading-1', names: { cursor: 'weiter' }, proved: ['cursor'] }

test('the profile that show prints can be saved, edited and read with', async (t) => {
  const { url, close } = await serveShape('bareHeader')
  t.after(close)
  const shown = await runWith(['show', url, '--profile'])
  assert.equal(shown.code, 0, shown.err)
  const profile = JSON.parse(shown.out)
  assert.equal(profile.profile, 'worldwright/reading-1')
  assert.equal(profile.names.id, 'slug')
  assert.match(profile.names.cursor, /^header:x-next-cursor$/i)
  for (const name of ['id', 'cursor']) assert.ok(profile.proved.includes(name), shown.out)
  const edited = { ...profile, names: { ...profile.names, title: 'isbn' } }
  const cwd = await folderOf(t, { 'profile.json': JSON.stringify(edited) })
  const list = ['list', url, TYPES[1], '--all', '--profile-file', 'profile.json']
  const { code, out, err } = await runWith(list, { cwd })
  assert.equal(code, 0, err)
  const things = THINGS.filter(({ type }) => type === TYPES[1])
  assert.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/)),
    things.map(({ id, attributes }) => [id, attributes['isbn']]),
  )
})

test('a profile is read from a URL, and --names takes precedence', async () => {
  const asked: string[] = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input))
    asked.push(url.href)
    if (url.pathname === '/profile.json') return Response.json(PROFILE)
    if (url.pathname.startsWith('/.well-known'))
      return Response.json({ protocol: 'world/0.1', endpoints: { api: 'https://sol.example/api' } })
    const entities = [{ type: 'sol:moon', id: 'io', attributes: {} }]
    return Response.json({ entities, weiter: 'next', other: 'last' })
  }
  const list = ['list', 'sol.example', 'sol:moon', '--profile-file', 'https://files.example/profile.json']
  const { err } = await runWith(list, { fetch })
  assert.match(err, /There are more: --cursor next/)
  assert.equal(asked[0], 'https://files.example/profile.json')
  const named = await runWith([...list, '--names', 'cursor=other'], { fetch })
  assert.match(named.err, /There are more: --cursor last/)
})

test('a malformed profile is refused, and its faulty member is named', async (t) => {
  const faulty: Record<string, readonly [object, RegExp]> = {
    'version.json': [
      { ...PROFILE, profile: 'other/1' },
      /its member profile is not "worldwright\/reading-1"/,
    ],
    'list.json': [{ ...PROFILE, names: [] }, /its member names is not an object/],
    'name.json': [{ ...PROFILE, names: { curser: 'x' } }, /"curser" is none of entities, /],
    'path.json': [{ ...PROFILE, names: { cursor: 5 } }, /names\.cursor is not a string/],
    'absent.json': [{ ...PROFILE, proved: undefined }, /its member proved is not an array/],
    'proved.json': [{ ...PROFILE, proved: ['id', 'ID'] }, /"ID" is none of entities, /],
  }
  const files = Object.entries(faulty).map(([name, [profile]]) => [name, JSON.stringify(profile)])
  const cwd = await folderOf(t, { ...Object.fromEntries(files), 'text.json': 'names' })
  const fetch: typeof globalThis.fetch = async () => Response.json({}, { status: 404 })
  const refused = (file: string) => runWith(['show', 'sol.example', '--profile-file', file], { cwd, fetch })
  for (const [file, [, words]] of Object.entries(faulty)) {
    const { code, err } = await refused(file)
    assert.equal(code, 2, err)
    assert.match(err, words)
    assert.match(err, new RegExp(`error: ${file} is not a reading profile`))
  }
  for (const [file, words] of [
    ['text.json', /No reading profile at text\.json: .*JSON/],
    ['none.json', /No reading profile at none\.json: ENOENT/],
    ['https://files.example/none', /No reading profile at https:\/\/files\.example\/none: status 404/],
  ] as const)
    assert.match((await refused(file)).err, words)
})

test('the profile has the names of lists and of search results, if they differ', async () => {
  const moons = ['io', 'europa', 'callisto'].map((slug) => ({ slug, label: slug.toUpperCase() }))
  const fetch: typeof globalThis.fetch = async (input) => {
    const { pathname } = new URL(String(input))
    const id = pathname.split('/').at(-1)
    if (pathname.startsWith('/.well-known'))
      return Response.json({
        protocol: 'world/0.1',
        endpoints: { api: 'https://sol.example/api' },
        kinds: ['sol:moon'],
      })
    if (id === 'wp%3Adiscover')
      return Response.json({ hits: moons.slice(0, 1).map((moon) => ({ kind: 'sol:moon', ...moon })) })
    if (id === 'sol%3Amoon') return Response.json({ page: { data: moons }, next: null })
    return Response.json(moons.find(({ slug }) => slug === id))
  }
  const { out, err } = await runWith(['show', 'sol.example', '--profile'], { fetch })
  const { names, proved } = JSON.parse(out)
  assert.deepEqual(
    names,
    {
      entities: 'page.data',
      found: 'hits',
      cursor: 'next',
      id: 'slug',
      title: 'label',
      type: 'kind',
      types: 'kinds',
    },
    err,
  )
  assert.ok(proved.includes('entities') && proved.includes('id'), out)
})
