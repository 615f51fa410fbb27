import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { field, find, get, press, show, startPage, textOf, texts } from '../page.fixture.ts'

startPage()
const { AboutPage } = await import('./about-page.tsx')

async function opened(document: object) {
  const fake = await openFake({ document })
  show(fake.within(h(AboutPage, null)))
  return fake
}

function factsOf(heading: string): [string, string][] {
  const section = get('h2', heading).parentElement
  return [...(section?.querySelectorAll('dl > div') ?? [])].map((row) => [
    textOf(row.querySelector('dt')),
    textOf(row.querySelector('dd')),
  ])
}

test('the identity section shows the values of the discovery document', async () => {
  const { origin } = await opened({
    world: { id: 'urn:example:sol', name: 'Sol', description: 'Moons <b>.', license: 'CC0' },
    revision: 'r7',
  })
  assert.deepEqual(factsOf('Identity'), [
    ['Name', 'Sol'],
    ['World id', 'urn:example:sol'],
    ['Origin', origin],
    ['API', `${origin}/api`],
    ['Protocol', 'world/0.1'],
    ['Revision of the document', 'r7'],
    ['Access', 'Everyone may read'],
    ['Licence', 'CC0'],
  ])
  assert.equal(textOf(get('.lead')), 'Moons <b>.')
  assert.equal(find('.lead b'), undefined)
  assert.equal(find('input[type=password]'), undefined)
})

test('missing facts about a world are reported as missing', async () => {
  await opened({ world: undefined, entityTypes: undefined, actions: undefined })
  assert.deepEqual(factsOf('Identity')[1], ['World id', 'not recognised'])
  const said = textOf(document.body)
  for (const text of [
    'Actions were not recognised in the discovery document.',
    'No limits were recognised in the discovery document.',
    'Entity types were not recognised in the discovery document.',
    'No extensions were recognised in the discovery document.',
  ])
    assert.ok(said.includes(text), text)
})

test('the page of a private world asks for a token', async () => {
  await opened({ authentication: { required: true } })
  assert.deepEqual(factsOf('Identity')[6], ['Access', 'A token is needed'])
  assert.equal(field('Token').type, 'password')
})

test('each action is marked as safe or unsafe and links to its form', async () => {
  const { origin } = await opened({
    actions: [
      { name: 'wp:discover', title: 'Search', description: 'Finds.' },
      { name: 'f:launch', description: 'Starts.' },
    ],
  })
  assert.deepEqual(texts('.action-row h3'), ['Search wp:discover', 'Launch f:launch'])
  assert.deepEqual(texts('.action-row p'), ['Finds.', 'reads only', 'Starts.', 'may change something'])
  assert.equal(
    get('a', 'Try it: f:launch').getAttribute('href'),
    `#/w/${encodeURIComponent(origin)}/a/f%3Alaunch`,
  )
})

test('limits and extensions are listed by name', async () => {
  await opened({
    limits: { list: { max: 1000 }, note: '<none>' },
    extensions: { 'worldwright:changes': { path: 'changes' }, 'x:odd': null },
  })
  assert.deepEqual(factsOf('Limits'), [
    ['list.max', '1,000'],
    ['note', '<none>'],
  ])
  assert.deepEqual(texts('h3.code'), ['worldwright:changes', 'x:odd'])
})

test('a type lists the fields of its schema, or states that it has no schema', async () => {
  const schema = {
    required: ['radiusKm'],
    properties: {
      radiusKm: { type: 'number', description: 'Mean <i>radius</i>.' },
      tags: { type: ['array', 'null'] },
      near: { $ref: '#/nowhere' },
    },
  }
  await opened({ entityTypes: [{ type: 'f:moon', title: 'Moon', schema }, 'f:other'] })
  assert.deepEqual(texts('.type-schema summary'), ['Moon f:moon 3 fields', 'Other f:other'])
  assert.deepEqual(texts('.schema tr'), [
    'radiusKmnumber kmMean <i>radius</i>. (required)',
    'tagsarray',
    'near–',
  ])
  assert.deepEqual(
    [...document.querySelectorAll('.type-schema')].map((type) => textOf(type.querySelector('p'))),
    ['', 'No schema is given.'],
  )
  assert.equal(find('i'), undefined)
})

test('the document is shown as received, and member names can be entered by hand', async () => {
  await opened({ extra: { odd: 1 } })
  assert.ok(texts('.json-name').includes('extra'))
  press(get('h2', 'The discovery document'))
  assert.equal(field('Search: what was found').value, '')
})

test('names that the client guessed are shown as guesses, and those of ours are not', async () => {
  await opened({ entityTypes: undefined, kinds: ['f:thing'] })
  assert.ok(textOf(document.body).includes('Guessed, not proved: types=kinds'))
  await opened({})
  assert.ok(!textOf(document.body).includes('Guessed'))
})
