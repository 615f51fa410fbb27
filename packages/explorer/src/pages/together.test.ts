import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { h } from 'preact'
import { noteWorld } from '../navigation/settings.ts'
import { field, find, get, press, show, startPage, textOf, texts, type, until } from '../page.fixture.ts'

startPage()
const { route, navigate } = await import('../navigation/navigation.ts')
const { StartPage } = await import('./open-box.tsx')

const TITAN = { type: 'sol:moon', id: 'titan', title: 'Titan', summary: '<b>Haze\u202e</b>', attributes: {} }
const BOOK = { type: 'my:book', id: '9007199254740993', title: 'The Sirens of Titan', attributes: {} }

/** Answers for two worlds; any other host is not there. */
async function worlds(url: string): Promise<Response> {
  const { origin, host, pathname } = new URL(url)
  const entity = { 'sol.example': TITAN, 'books.example': BOOK }[host]
  if (entity === undefined) throw new TypeError('no such host')
  return Response.json(
    pathname.includes('well-known')
      ? { protocol: 'world/0.1', world: { id: `urn:${host}` }, endpoints: { api: `${origin}/api` } }
      : { action: 'wp:discover', output: { entities: [entity], total: 1 } },
  )
}

test('recent worlds are searched together, and those without an answer are named', async (t) => {
  mock.method(globalThis, 'fetch', worlds)
  t.after(() => mock.restoreAll())
  noteWorld({ origin: 'https://sol.example', name: 'Sol' })
  show(h(StartPage, null))
  assert.equal(find('input[type=search]'), undefined)
  noteWorld({ origin: 'https://gone.example', name: 'Gone' })
  noteWorld({ origin: 'https://books.example', name: 'Books' })
  show(h(StartPage, null))
  await until(() => find('input[type=search]'))
  type(field('Search these worlds together'), 'titan')
  press(get('button', 'Search'))
  assert.deepEqual(route.value, { page: 'open', text: 'titan' })
  // A new page, as after a reload.
  show(null)
  show(h(StartPage, { text: 'titan' }))
  await until(() => texts('[data-asks] > ul li').length === 1)
  assert.equal(textOf(get('[role=status]')), '2 results shown')
  assert.deepEqual(texts('.hit'), [
    'The Sirens of Titanhttps://books.example',
    'Titan<b>HazeU+202E</b>https://sol.example',
  ])
  assert.equal(find('.hit b'), undefined)
  assert.equal(
    get('.hit a', 'Titan').getAttribute('href'),
    '#/w/https%3A%2F%2Fsol.example/e/sol%3Amoon/titan',
  )
  assert.match(texts('[data-asks] > ul li')[0] ?? '', /^https:\/\/gone\.example: ./)
  assert.equal(field('Search these worlds together').value, 'titan')
  navigate({ page: 'open' })
})
