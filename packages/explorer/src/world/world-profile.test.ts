import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { World } from '@worldwright/client'
import { isOwnMachine, profileOf, sharedTitles, typeIn } from './world-profile.ts'

const worldOf = (more: object) =>
  ({
    origin: 'https://sol.example',
    id: undefined,
    document: { protocol: 'world/0.1', endpoints: { api: 'https://api.example/v0' }, ...more },
  }) as unknown as World

test('a document requires only `protocol` and `endpoints.api`', () => {
  const bare = profileOf(worldOf({}))
  assert.equal(bare.name, 'sol.example')
  assert.deepEqual([bare.types, bare.actions, bare.limits, bare.extensions], [[], [], [], []])
  assert.deepEqual(bare.origins, ['https://sol.example', 'https://api.example'])
  const strange = {
    world: 5,
    entityTypes: 'x',
    actions: [null, 5, {}],
    limits: [1],
    extensions: null,
    authentication: [],
  }
  assert.deepEqual(profileOf(worldOf(strange)).actions, [])
})

test('a loopback host is recognised with or without a port', () => {
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]:80'])
    assert.ok(isOwnMachine(host), host)
  for (const host of ['sol.example', '127.example', 'localhost.example', '192.168.0.2:8080'])
    assert.ok(!isOwnMachine(host), host)
})

test('the terms of use of a world are taken from its document', () => {
  const { license, attribution } = profileOf(worldOf({ world: { license: 'CC-BY-4.0', attribution: 5 } }))
  assert.deepEqual([license, attribution], ['CC-BY-4.0', undefined])
})

test('a type without a title has one derived from its name', () => {
  const { types } = profileOf(
    worldOf({ entityTypes: ['a:dwarf-planet', { type: 'a:b', title: 'Bee' }, { no: 'type' }] }),
  )
  assert.deepEqual(
    types.map(({ type, title }) => [type, title]),
    [
      ['a:dwarf-planet', 'Dwarf planet'],
      ['a:b', 'Bee'],
    ],
  )
})

test('a type that is not listed still has a title', () => {
  assert.equal(typeIn(profileOf(worldOf({})), 'x:someThing').title, 'Some thing')
})

test('a title is shared if two types have it', () => {
  const profile = profileOf(
    worldOf({ entityTypes: ['a:book', { type: 'b:volume', title: 'Book' }, 'a:film', 'a:song'] }),
  )
  assert.deepEqual([...sharedTitles(profile.types)], ['Book'])
  assert.deepEqual([...sharedTitles([...profile.types, typeIn(profile, 'c:film')])], ['Book', 'Film'])
  assert.deepEqual([...sharedTitles([])], [])
})

test('limits are flattened to dotted paths', () => {
  const { limits } = profileOf(worldOf({ limits: { list: { max: 200 }, maxTypes: 32, odd: null } }))
  assert.deepEqual(limits, [
    ['list.max', 200],
    ['maxTypes', 32],
  ])
})

test('the look of a world is on its origin, and its accent is a colour that can be read', () => {
  const lookOf = (own: unknown) => {
    const { pictures, accent, stories } = profileOf(worldOf({ extensions: { 'worldwright:pages': own } }))
    return { pictures, accent, stories }
  }
  const nothing = { pictures: [], accent: '', stories: [] }
  for (const odd of [undefined, 5, [], { picture: 5, logo: '', accent: 'red', stories: null }])
    assert.deepEqual(lookOf(odd), nothing)
  const own = {
    picture: '/_pages/p.webp',
    accent: { light: '#9a4a00', dark: '#F5B26B' },
    stories: [{ path: '/s/a', title: 'A', description: 'About' }, null],
  }
  const { pictures, accent, stories } = lookOf(own)
  assert.deepEqual(
    pictures.map(({ src }) => new URL(src).href),
    ['https://sol.example/_pages/p.webp'],
  )
  assert.match(
    accent,
    /^--accent:light-dark\(oklch\(from #9a4a00 min\(l,.6\) ?c h\), ?oklch\(from #F5B26B max/,
  )
  assert.deepEqual(
    stories.map(({ title, description }) => [title, description]),
    [
      ['A', 'About'],
      ['', undefined],
    ],
  )
  for (const path of [
    '@evil.example/x',
    '//evil.example/x',
    ':1@evil.example',
    '\\\\evil.example',
    'javascript:1',
    '/../x',
  ]) {
    const { pictures, stories } = lookOf({ logo: path, stories: [{ path }] })
    for (const url of [pictures[0]?.src, stories[0]?.href])
      assert.equal(new URL(url ?? '').origin, 'https://sol.example', path)
  }
  for (const bad of ['red', '#fff', '#00000000', 'url(//evil.example)', '#000000;--ink:red'])
    assert.equal(lookOf({ accent: { light: bad, dark: '#ffffff' } }).accent, '', bad)
})
