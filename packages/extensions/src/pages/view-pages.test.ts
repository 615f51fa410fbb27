import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity, EntityTypeDescription } from '@worldwright/client/protocol'
import type { PagesOptions } from './index.ts'
import { dataIn, world } from './world-pages.fixture.ts'

const MOON: EntityTypeDescription = {
  type: 'sol:moon',
  title: 'Moons',
  schema: {
    type: 'object',
    properties: {
      radius: { type: 'number', title: 'Radius in km' },
      kind: { type: 'string' },
      found: { type: 'integer', title: 'Discovery year' },
      planet: { type: 'object', properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } },
      note: { type: 'string', maxLength: 5_000 },
      seen: { type: 'string', format: 'date' },
    },
  },
}
const PLANET: EntityTypeDescription = {
  type: 'sol:planet',
  title: 'Planets',
  schema: { type: 'object', properties: { mass: { type: 'number' } } },
}

const planet = (id: string, title: string) => ({ type: 'sol:planet', id, title, attributes: { mass: 1 } })
const moon = (id: string, title: string, radius: number, found: number, of: string, kind = 'regular') => ({
  type: 'sol:moon',
  id,
  title,
  attributes: { radius, kind, found, planet: { type: 'sol:planet', id: of } },
})

const MOONS = [
  planet('saturn', 'Saturn & rings'),
  planet('jupiter', 'Jupiter'),
  moon('titan', 'Titan', 2574.7, 1655, 'saturn'),
  moon('rhea', 'Rhea', 763.5, 1672, 'saturn'),
  moon('phoebe', 'Phoebe', 106.5, 1899, 'saturn', 'irregular'),
  moon('io', 'Io', 1821.6, 1610, 'jupiter'),
]

const sol = (more: readonly Partial<Entity>[] = [], options: Partial<PagesOptions> = {}) =>
  world([...MOONS, ...more], options, { types: async () => [MOON, PLANET] })

const rowsIn = (text: string) =>
  [...text.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, cell]) => cell)

test('a view is a page with a written title, its rows in order, and metadata', async () => {
  const { get } = await sol()
  const path = '/v/sol%3Amoon?is.planet=sol%3Aplanet%2Fsaturn&in.radius=500..&sort=-radius'
  const response = await get(path)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const text = await response.text()
  const title = 'Moons of Saturn &amp; rings: radius in km at least 500, by radius in km, largest first'
  const canonical = `https://sol.example/v/sol%3Amoon?in.radius=500..&amp;is.planet=sol%3Aplanet%2Fsaturn&amp;sort=-radius`
  for (const part of [
    `<title>${title} – Sol &amp; Co</title>`,
    `<h1 dir="auto">${title}</h1>`,
    `<link rel="canonical" href="${canonical}">`,
    `<meta property="og:url" content="${canonical}">`,
    `<meta name="description" content="${title}. 2 found in Sol &amp; Co: Titan, Rhea.">`,
    '<th scope="col" class="number">Radius in km</th>',
    '<td dir="auto" class="number"><data value="2574.7">2,574.7</data></td>',
    '<td dir="auto"><a href="/t/sol%3Aplanet/saturn">Saturn &amp; rings</a></td>',
    `href="/v/sol%3Amoon?in.radius=500..&amp;is.planet=sol%3Aplanet%2Fsaturn&amp;sort=-radius&amp;format=atom"`,
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  assert.deepEqual(rowsIn(text), [
    '<a href="/t/sol%3Amoon/titan">Titan</a>',
    '<a href="/t/sol%3Amoon/rhea">Rhea</a>',
  ])
  assert.doesNotMatch(text, /noindex|oembed/)
  const { '@type': type, name, numberOfItems, itemListElement } = dataIn(text)
  assert.deepEqual(
    [type, numberOfItems, itemListElement[1].url, itemListElement.length],
    ['ItemList', 2, 'https://sol.example/t/sol%3Amoon/rhea', 2],
  )
  assert.equal(name, title.replaceAll('&amp;', '&'))
})

test('a summary is a table of its groups with counts and measures, in their order', async () => {
  const { page } = await sol()
  const text = await page('/v/sol%3Amoon?view=summary&by=value%3Aplanet&of=avg%3Aradius&order=-count')
  assert.match(text, /<h1 dir="auto">Moons by planet<\/h1>/)
  assert.match(text, /4 found, in 2 groups/)
  assert.match(
    text,
    /<th scope="col">Planet<\/th><th scope="col" class="number">Count<\/th><th scope="col" class="number">Radius in km \(avg\)<\/th>/,
  )
  assert.deepEqual(
    [...text.matchAll(/<tr><th.*?<\/tr>/gs)].slice(1).map(([row]) => row),
    [
      '<tr><th scope="row" dir="auto"><a href="/t/sol%3Aplanet/saturn">Saturn &amp; rings</a></th><td class="number">3</td><td class="number">1148.23333333333</td></tr>',
      '<tr><th scope="row" dir="auto"><a href="/t/sol%3Aplanet/jupiter">Jupiter</a></th><td class="number">1</td><td class="number">1821.6</td></tr>',
    ],
  )
  const bins = await page('/v/sol%3Amoon?view=summary&by=100%3Afound')
  assert.deepEqual(rowsIn(bins), ['1600 to below 1700', '1800 to below 1900'])
  assert.match(bins, /in 2 groups in Sol &amp; Co: 1600 to below 1700 3, 1800 to below 1900 1\."/)
  const { page: large } = await sol([moon('large', 'Large', 2459945.5, 2000, 'saturn')])
  const exact = await large('/v/sol%3Amoon?view=summary&by=0.5%3Aradius&of=max%3Aradius&in.radius=9999..')
  assert.match(
    exact,
    />2459945\.5 to below 2459946<\/th><td class="number">1<\/td><td class="number">2459945\.5<\/td>/,
  )
})

test('a view without conditions has the pages of its type, and search engines list only the first', async () => {
  const { get, page } = await sol(
    Array.from({ length: 60 }, (_, at) => moon(`m${at}`, `M${at}`, at, 2000, 'saturn')),
  )
  const all: string[] = []
  const pages: string[] = []
  for (let path: string | undefined = '/v/sol%3Amoon?sort=-radius'; path !== undefined; ) {
    const text = await page(path)
    pages.push(text)
    all.push(...rowsIn(text).map(String))
    path = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.deepEqual([all.length, new Set(all).size, pages.length], [64, 64, 2])
  assert.deepEqual(
    pages.map((one) => one.includes('content="noindex"')),
    [false, true],
  )
  const list = await page('/v/sol%3Amoon')
  const next = /<link rel="next" href="([^"]+)"/.exec(list)?.[1] ?? ''
  assert.equal(rowsIn(list).length, 50)
  assert.equal(rowsIn(await page(next.replaceAll('&amp;', '&'))).length, 14)
  assert.equal((await get('/v/sol%3Amoon?utm_source=x&fbclid=1')).status, 200)
})

test('views that find nothing, or have words of their address, are not for search engines', async () => {
  const { page } = await sol()
  for (const query of ['in.radius=9999..', 'in.seen=2020..2021-02', 'text=titan', 'where=radius%20%3E%201'])
    assert.match(await page(`/v/sol%3Amoon?${query}`), /<meta name="robots" content="noindex">/, query)
  assert.match(await page('/v/sol%3Amoon?in.radius=9999..'), /Nothing found/)
})

test('what cannot be read is a page with the status of the error, never a wrong list', async () => {
  const { get } = await sol()
  const statuses: Record<string, readonly [number, string, RegExp]> = {
    '/v/sol%3Acomet': [404, 'unknown_type', /no such entity type/],
    '/v/Moon': [400, 'invalid_type', /no entity type/],
    '/v/sol%3Amoon?iss.kind=a': [400, 'invalid_parameter', /iss\.kind cannot be read/],
    '/v/sol%3Amoon?view=pie': [400, 'invalid_parameter', /view cannot be read/],
    '/v/sol%3Amoon?sort=a&sort=b': [400, 'invalid_parameter', /sort cannot be read/],
    '/v/sol%3Amoon?column=nothing': [400, 'invalid_parameter', /column cannot be read/],
    '/v/sol%3Amoon?in.mass=1..': [400, 'invalid_input', /mass is not a queryable property/],
    '/v/sol%3Amoon?in.radius=heavy..': [400, 'invalid_input', /cannot be read/],
    '/v/sol%3Amoon?in.seen=2020-1-9..': [400, 'invalid_parameter', /in\.seen cannot be read/],
    '/v/sol%3Amoon?where=radius%20%3E': [400, 'invalid_parameter', /cannot be read/],
    [`/v/sol%3Amoon?where=${'('.repeat(7_000)}`]: [400, 'invalid_parameter', /cannot be read/],
    '/v/sol%3Amoon?sort=planet': [400, 'invalid_input', /cannot be read/],
    '/v/sol%3Amoon?cursor=forged': [400, 'invalid_cursor', /./],
    '/v/sol%3Amoon?sort=radius&cursor=forged': [400, 'invalid_cursor', /./],
    '/v/sol%3Amoon?view=summary&by=x%3Afound': [400, 'invalid_parameter', /by cannot be read/],
    '/v/sol%3Amoon?view=summary&by=10%3Akind': [400, 'invalid_input', /cannot be read/],
    '/v/sol%3Amoon?view=summary&by=kind&order=other': [400, 'invalid_parameter', /order cannot be read/],
    '/v/sol%3Amoon?embed=2': [400, 'invalid_parameter', /embed cannot be read/],
    '/v/sol%3Amoon?format=rss': [400, 'invalid_parameter', /format cannot be read/],
    '/v/sol%3Amoon/x': [404, 'not_found', /./],
    '/oembed?url=https%3A%2F%2Fsol.example%2Fv%2Fsol%253Amoon': [404, 'not_found', /./],
  }
  for (const [path, [status, code, words]] of Object.entries(statuses)) {
    const response = await get(path, { accept: 'text/html' })
    assert.deepEqual([response.status, response.headers.get('world-error-code')], [status, code], path)
    const text = await response.text()
    assert.match(text, /<h1 dir="auto">Nothing here<\/h1>/, path)
    assert.match(text, words, path)
  }
})

test('hostile text of the address and of entities stays text', async () => {
  const evil = '</script><script>alert(1)</script>"><img src=x>\u202e'
  const { page } = await sol([moon('evil', evil, 1, 2000, 'saturn', evil)])
  const query = new URLSearchParams({ 'is.kind': evil, text: '' })
  const text = await page(`/v/sol%3Amoon?${query}`)
  assert.equal(rowsIn(text).length, 1)
  assert.doesNotMatch(text, /<script>|<img/)
  assert.doesNotMatch(/<title>(.*?)<\/title>/.exec(text)?.[1] ?? '\u202e', /\u202e/)
  assert.ok(dataIn(text).itemListElement[0].name.startsWith('</script>'))
})

test('with the explorer, the page is that of the explorer, with the view for browsers without scripts', async () => {
  const shell = {
    text: '<!doctype html><head><title>x</title><script src="./_explorer/a.js"></script></head><body><noscript>n</noscript></body>',
    headers: { 'content-security-policy': "script-src 'self'" },
  }
  const { get } = await sol([], { shell })
  const response = await get('/v/sol%3Amoon?sort=radius')
  assert.equal(response.headers.get('content-security-policy'), "script-src 'self'")
  const text = await response.text()
  assert.match(text, /<script src="\/_explorer\/a\.js">/)
  assert.match(text, /<noscript><main><h1 dir="auto">Moons, by radius in km, smallest first<\/h1>/)
})

test('a view that cannot be answered within the limits of work says so, and is not kept', async () => {
  const { get, store } = await sol()
  const find = store.find?.bind(store)
  assert.ok(find !== undefined)
  Object.assign(store, {
    find: async (query: Parameters<typeof find>[0]) => ({
      ...(await find(query)),
      partial: true,
      totalIsLowerBound: true,
    }),
  })
  const path = '/v/sol%3Amoon?in.radius=500..&sort=radius'
  const text = await (await get(path)).text()
  assert.match(text, /At least 3 found/)
  assert.match(text, /took too long and was ended: there may be more/)
  assert.match(text, /content="noindex"/)
  assert.equal(dataIn(text).numberOfItems, undefined)
  assert.equal((await get(`${path}&format=atom`)).status, 503)
  Object.assign(store, { find })
  assert.doesNotMatch(await (await get(path)).text(), /there may be more/)
})
