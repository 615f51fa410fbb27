import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfView, hrefOf, originTyped, type Route, routeFrom } from './route.ts'

const origin = 'https://other.example'

test('a chart keeps the properties of its colours and sizes in the address', () => {
  const plot = { x: 'mass', color: 'kind', size: 'radius' }
  const origin = 'https://w.example'
  const hash = hrefOf({ page: 'list', origin, type: 'f:thing', view: 'scatter', plot })
  assert.match(hash, /\?view=scatter&x=mass&color=kind&size=radius$/)
  const route = routeFrom(hash)
  assert.deepEqual(route.page === 'list' && route.plot, plot)
})

test('every route round-trips through an address', () => {
  const routes: Route[] = [
    { page: 'start' },
    { page: 'open' },
    { page: 'home', origin },
    { page: 'about', origin },
    { page: 'search', origin, text: 'a & b?#%/+ä 木', types: ['sol:moon', 'x:y'], limit: 100 },
    { page: 'list', origin, type: 'sol:moon', view: 'table', cursor: 'AbC-_', before: 200 },
    {
      page: 'list',
      origin,
      type: 'sol:moon',
      view: 'summary',
      plot: {
        by: ['10:discoveryYear', 'value:a&b'],
        of: ['avg:radiusKm', 'max:radiusKm'],
        order: '-avg:radiusKm',
      },
    },
    { page: 'list', origin, type: 'sol:moon', plot: { order: 'key' } },
    { page: 'entity', origin, type: 'sol:moon', id: 'a/b?c#d %2F é \u202e ..x' },
    { page: 'changes', origin, type: undefined },
    { page: 'changes', origin, type: 'a/b?c#d %2F' },
    { page: 'compare', origin, of: ['sol:moon', 'a/b?c#d %2F', 'sol:planet', 'earth/'] },
    { page: 'action', origin, name: 'wp:discover', input: { text: '&="', list: [1] } },
  ]
  for (const route of routes) {
    const read = routeFrom(hrefOf(route))
    assert.deepEqual(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(route)))
  }
})

test('an address contains the origin of a world as a single path component', () => {
  assert.equal(hrefOf({ page: 'home', origin }), '#/w/https%3A%2F%2Fother.example/')
  assert.deepEqual(routeFrom('#/w/https%3A%2F%2Fother.example'), { page: 'home', origin })
})

test('an invalid route is parsed as `lost`', () => {
  const lost = [
    '#/x',
    '#/w/',
    '#/w/not-an-origin/',
    '#/w/https%3A%2F%2Fother.example%2Fpath/',
    '#/w/javascript%3Aalert(1)/',
    '#/w/ftp%3A%2F%2Fother.example/',
    '#/w/https%3A%2F%2Fuser%40other.example/',
    '#/w/https%3A%2F%2Fother.example/nowhere',
    '#/w/https%3A%2F%2Fother.example/e/only-type',
    '#/w/https%3A%2F%2Fother.example/e/a/b/c',
    '#/w/https%3A%2F%2Fother.example/changes/sol:moon',
    '#/w/https%3A%2F%2Fother.example/compare',
    '#/w/https%3A%2F%2Fother.example/compare/a/b/c',
    `#/w/https%3A%2F%2Fother.example/compare${'/a/b'.repeat(7)}`,
    '#/w/%/',
    '#/w/https%3A%2F%2Fother.example/e/%E0%A4%A/x',
  ]
  for (const hash of lost) assert.deepEqual(routeFrom(hash), { page: 'lost' }, hash)
})

test('a typed address is reduced to its origin', () => {
  const cases: [string, string | undefined][] = [
    ['sol.example', 'https://sol.example'],
    [' https://sol.example/.well-known/world.json ', 'https://sol.example'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/x', 'http://127.0.0.1:8080'],
    ['http://sol.example', 'http://sol.example'],
    ['javascript:alert(1)', undefined],
    ['ftp://sol.example', undefined],
    ['https://user:secret@sol.example', undefined],
    ['', undefined],
    ['two words', undefined],
  ]
  for (const [text, expected] of cases) assert.equal(originTyped(text), expected, text)
})

test('the address of a view is read as its list, and other addresses are not', () => {
  const read = (address: string) => hashOfView(new URL(address))
  assert.equal(
    read('https://sol.example/v/sol%3Amoon?sort=-radius'),
    '/w/https%3A%2F%2Fsol.example/t/sol%3Amoon?sort=-radius',
  )
  assert.equal(read('https://sol.example/v/sol:moon'), '/w/https%3A%2F%2Fsol.example/t/sol:moon')
  for (const path of ['', 'v/', 'v/index.html', 'v/sol%3Amoon/x', 't/sol%3Amoon', 'x/v/sol%3Amoon'])
    assert.equal(read(`https://sol.example/${path}`), undefined, path)
})
