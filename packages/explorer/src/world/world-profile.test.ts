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

test('only protocol and endpoints.api of a document are required', () => {
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

test('the user’s own machine is recognised by its address, with or without a port', () => {
  for (const host of ['localhost', 'localhost:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]:80'])
    assert.ok(isOwnMachine(host), host)
  for (const host of ['sol.example', '127.example', 'localhost.example', '192.168.0.2:8080'])
    assert.ok(!isOwnMachine(host), host)
})

test('the terms of a world are the texts of its author', () => {
  const { license, attribution } = profileOf(worldOf({ world: { license: 'CC-BY-4.0', attribution: 5 } }))
  assert.deepEqual([license, attribution], ['CC-BY-4.0', undefined])
})

test('types have a title, derived from their name if none is given', () => {
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

test('an unlisted type still has a title', () => {
  assert.equal(typeIn(profileOf(worldOf({})), 'x:someThing').title, 'Some thing')
})

test('a title is shared if two types have it, given or derived from their names', () => {
  const profile = profileOf(
    worldOf({ entityTypes: ['a:book', { type: 'b:volume', title: 'Book' }, 'a:film', 'a:song'] }),
  )
  assert.deepEqual([...sharedTitles(profile.types)], ['Book'])
  assert.deepEqual([...sharedTitles([...profile.types, typeIn(profile, 'c:film')])], ['Book', 'Film'])
  assert.deepEqual([...sharedTitles([])], [])
})

test('limits are read by their paths', () => {
  const { limits } = profileOf(worldOf({ limits: { list: { max: 200 }, maxTypes: 32, odd: null } }))
  assert.deepEqual(limits, [
    ['list.max', 200],
    ['maxTypes', 32],
  ])
})
