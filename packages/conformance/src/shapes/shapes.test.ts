import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findIdentifier, findTypes, namesDiscover } from './document.ts'
import { findIds, findNamedType, findType, idAt, unwrapped } from './entities.ts'
import { continuationOf, findCursors, findList } from './lists.ts'
import { parseNames, pathOf } from './names.ts'

test('types are read from strings, entries, keys, and names grouped by prefix', () => {
  const lists = [
    { entityTypes: ['lib:book', 'lib:person'] },
    { types: [{ type: 'lib:book' }, { id: 'lib:person', label: 'People' }] },
    { kinds: { 'lib:book': {}, 'lib:person': 'People' } },
    { entity_types: { lib: ['book', 'person'] } },
    { types: { lib: { book: {}, person: {} } } },
    { supportedTypes: [{ prefix: 'lib', names: ['book', 'person'] }] },
    { catalog: [{ name: 'lib:book' }, { name: 'lib:person' }] },
    { entities: { lib: ['book', 'person'] } },
    { about: { stuff: ['lib:book', 'lib:person'] } },
  ]
  for (const document of lists)
    assert.deepEqual(findTypes(document)?.types, ['lib:book', 'lib:person'], JSON.stringify(document))
})

test('an entry that names no type is kept unchanged if the list has a well-known name', () => {
  assert.deepEqual(findTypes({ types: ['lib:book', 'person'] })?.types, ['lib:book', 'person'])
  assert.deepEqual(findTypes({ entityTypes: [] })?.types, [])
  const none = {
    id: 'urn:x:y',
    actions: ['wp:discover'],
    limits: { list: { max: 5 } },
    schemes: ['https://a:1'],
  }
  assert.equal(findTypes(none), undefined)
})

test('a member that belongs to the types, or only describes the world, is not the world identifier', () => {
  const types = { types: [{ id: 'lib:book' }] }
  const found = (document: object) => findIdentifier({ ...types, ...document }, ['types'])
  assert.equal(found({ world: { id: 'urn:x:1', name: 'X' } })?.value, 'urn:x:1')
  assert.deepEqual(found({ me: 'tag:x.example,2026:it' })?.sure, true)
  assert.deepEqual(found({ nick: 'library' })?.sure, false)
  assert.equal(found({ title: 'The library', description: 'Books', revision: '1' }), undefined)
  assert.equal(found({}), undefined)
})

test('the discovery action is found if it is named in full, in a path, or under its prefix', () => {
  const named = [
    'wp:discover',
    { 'wp:discover': {} },
    { wp: ['discover'] },
    [{ ns: 'wp', name: 'discover' }],
    '/x/wp%3Adiscover',
  ]
  for (const value of named) assert.ok(namesDiscover(value), JSON.stringify(value))
  for (const value of ['discover', { wp: ['find'] }, [], null])
    assert.ok(!namesDiscover(value), JSON.stringify(value))
})

test('the list is the response itself, an array with a common name, or the only array of objects', () => {
  const book = { id: '1', tags: ['a'] }
  assert.deepEqual(findList([book]), [])
  assert.deepEqual(findList({ output: { entities: [book], matched: ['a'] }, warnings: [{}] }), [
    'output',
    'entities',
  ])
  assert.deepEqual(findList({ page: { data: [book], size: 1 } }), ['page', 'data'])
  assert.deepEqual(findList({ books: [book], links: [{ rel: 'self' }] }), ['books'])
  assert.equal(findList({ books: [book], people: [book] }), undefined)
  assert.equal(findList({ total: 0 }), undefined)
})

test('a cursor is recognised by its name, but sizes, links and backward cursors are not', () => {
  const first = (body: object) => findCursors(body, ['items'])[0]
  const likely = { nextCursor: 'a', page: 1 }
  assert.deepEqual(first(likely), { path: ['nextCursor'], likely: true })
  assert.deepEqual(first({ paging: { prevCursor: 'z', after: 'a' } }), {
    path: ['paging', 'after'],
    likely: true,
  })
  assert.deepEqual(first({ next: null, type: 'lib:book' }), { path: ['next'], likely: true })
  assert.deepEqual(first({ nextPage: null, cursor: 'a' }), { path: ['cursor'], likely: true })
  assert.deepEqual(first({ type: 'lib:book' }), { path: ['type'], likely: false })
  assert.equal(first({ next: 'https://x.example/?cursor=a', self: '/x', limit: 5, totalCount: 7 }), undefined)
})

test('a list ends if its cursor is absent, null, empty or false, or if a flag says so', () => {
  const next = (body: object) => continuationOf(body, ['next'])
  assert.deepEqual(next({ next: 'a' }), { cursor: 'a', oddity: undefined })
  assert.deepEqual(next({ next: 7 }).cursor, '7')
  for (const body of [{}, { next: null }])
    assert.deepEqual(next(body), { cursor: undefined, oddity: undefined })
  for (const body of [{ next: '' }, { next: false }, { next: 'a', hasMore: false }]) {
    const { cursor, oddity } = next(body)
    assert.equal(cursor, undefined)
    assert.match(oddity ?? '', /^the list ends with /)
  }
})

test('a wrapped entity is found, and a reference in it is not mistaken for the entity', () => {
  const star = { key: 'sirius', name: 'Sirius', of: { type: 'astro:constellation', id: 'CMa' } }
  for (const entry of [star, { rank: 1, entity: star }, [star], { data: [star] }])
    assert.deepEqual(unwrapped(entry), star)
  const element = { entityId: 'He', data: { id: 7 } }
  assert.deepEqual(unwrapped(element), element)
  assert.deepEqual(findIds(star)[0], ['key'])
  assert.equal(findNamedType(star, ['astro:constellation', 'astro:star']), undefined)
  assert.deepEqual(findType({ ref: { type: 'a:b', id: '1' } }, 'a:b'), ['ref', 'type'])
  assert.equal(idAt({ rank: 1, hit: { id: 5 } }, ['id']), '5')
})

test('names are parsed from an option, and malformed ones are rejected', () => {
  assert.deepEqual(parseNames('entities=page.data, cursor=after,total=count'), {
    entities: 'page.data',
    cursor: 'after',
  })
  assert.deepEqual(pathOf('page.data'), ['page', 'data'])
  assert.deepEqual(pathOf(''), [])
  for (const text of ['', 'entities', 'lists=a', '=a']) assert.throws(() => parseNames(text), TypeError)
})
