import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataIn, world } from './world-pages.fixture.ts'

const MARS = {
  id: 'mars',
  title: 'Mars',
  summary: 'The fourth.',
  attributes: {
    radius: 3389.5,
    picture: '/attachments/mars.png',
    site: 'https://mars.example/',
    star: { type: 'sol:star', id: 'sun' },
    none: null,
    list: [1, { deep: 'x' }],
  },
}

test('an entity page has attributes, links for references, and metadata', async () => {
  const { get, page } = await world([MARS, { type: 'sol:star', id: 'sun', title: 'The Sun' }])
  const response = await get('/t/sol%3Aplanet/mars')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'self'; /,
  )
  assert.equal(response.headers.get('link'), '<https://spdx.org/licenses/CC-BY-4.0.html>; rel="license"')
  const text = await response.text()
  for (const part of [
    '<title>Mars – Sol &amp; Co</title>',
    '<link rel="canonical" href="https://sol.example/t/sol%3Aplanet/mars">',
    '<meta property="og:image" content="https://sol.example/attachments/mars.png">',
    '<h1 dir="auto">Mars</h1>',
    '<dt>Radius in km</dt><dd dir="auto"><data value="3389.5">3,389.5</data></dd>',
    '<a href="/t/sol%3Astar/sun">The Sun</a>',
    '<a href="https://mars.example/" rel="nofollow noreferrer">https://mars.example/</a>',
    '<ul><li>1</li><li><dl><dt>Deep</dt><dd dir="auto">x</dd></dl></li></ul>',
    '<p dir="auto">Sol observatory</p>',
    'href="https://sol.example/api/world/v0/entities/sol%3Aplanet/mars"',
  ])
    assert.ok(text.includes(part), `${part} is not in ${text}`)
  assert.ok(!text.includes('none'))
  assert.deepEqual(dataIn(text), {
    '@context': 'https://schema.org',
    '@type': 'Place',
    '@id': 'https://sol.example/t/sol%3Aplanet/mars',
    name: 'Mars',
    identifier: 'mars',
    url: 'https://sol.example/t/sol%3Aplanet/mars',
    image: 'https://sol.example/attachments/mars.png',
    description: 'The fourth.',
    sameAs: 'https://mars.example/',
    containedInPlace: { '@id': 'https://sol.example/t/sol%3Astar/sun' },
  })
  assert.equal(dataIn(await page('/t/sol%3Astar/sun'))['@type'], 'Thing')
})

test('a picture may have any valid file name', async () => {
  const { page } = await world([{ id: 'x', attributes: { picture: "/attachments/Haus%20(1)!~*'.png" } }])
  const text = await page('/t/sol%3Aplanet/x')
  assert.match(text, /<img src="\/attachments\/Haus%20\(1\)!~\*&#39;\.png" alt="x">/)
})

test('an entity page lists referrers by type and property, with counts and links', async () => {
  const sun = { type: 'sol:star', id: 'sun' }
  const planet = (id: string, star: typeof sun) => ({ id, attributes: { star, seen: [{ from: [sun] }, {}] } })
  const { page, put } = await world([sun, planet('venus', sun), planet('earth', { ...sun, id: 'rigel' })])
  const text = await page('/t/sol%3Astar/sun')
  const [, section = ''] = /<h2>What points here<\/h2>(.*?)<\/dl>/s.exec(text) ?? []
  const group = (label: string, count: number, ids: readonly string[]) =>
    `<dt><a href="/t/sol%3Aplanet">Planets</a>: ${label} (${count})</dt>
<dd dir="auto"><ul>${ids.map((id) => `<li><a href="/t/sol%3Aplanet/${id}">${id}</a></li>`).join('')}</ul></dd>`
  assert.equal(
    section.trim(),
    `<dl>${group('Seen, From', 2, ['earth', 'venus'])}${group('Star', 1, ['venus'])}`,
  )
  assert.ok(!(await page('/t/sol%3Aplanet/venus')).includes('What points here'))
  await put(...Array.from({ length: 60 }, (_, at) => ({ id: `p${at}`, attributes: { star: sun } })))
  const more = await page('/t/sol%3Astar/sun')
  assert.match(more, /Star \(61\).*<li>and 12 more<\/li>/s)
})

test('a page is cached until anything in the world changes', async () => {
  const { get, page, put } = await world([MARS, { type: 'sol:star', id: 'sun', title: 'The Sun' }])
  const etag = (await get('/t/sol%3Aplanet/mars')).headers.get('etag')
  assert.equal((await get('/t/sol%3Aplanet/mars')).headers.get('etag'), etag)
  await put({ type: 'sol:star', id: 'sun', title: 'Sol' })
  assert.ok((await page('/t/sol%3Aplanet/mars')).includes('>Sol</a>'))
})

test('a list links to its next page, and the home page links to all types and downloads', async () => {
  const { page } = await world(Array.from({ length: 60 }, (_, at) => ({ id: `p${at + 10}` })))
  const first = await page('/t/sol%3Aplanet')
  const [, next = ''] = /<link rel="next" href="([^"]+)">/.exec(first) ?? []
  const second = await page(next)
  const linked = (text: string) => text.match(/<li dir="auto"><a href="[^"]+">[^<]+/g)?.length
  assert.deepEqual([linked(first), linked(second)], [50, 10])
  assert.ok(!second.includes('rel="next"'))
  const home = await page('/')
  assert.ok(home.includes('<a href="/t/sol%3Aplanet">Planets</a>'))
  assert.doesNotMatch(second, /<nav aria-label="Pages">/)
  const data = dataIn(home)
  assert.equal(data['@type'], 'Dataset')
  assert.equal(data.license, 'https://spdx.org/licenses/CC-BY-4.0.html')
  assert.equal(data.distribution[0].contentUrl, 'https://sol.example/download/world.ndjson')
})

test('the explorer page includes the content of the world and is otherwise unchanged', async () => {
  const shell = {
    text: `<head><meta name="description" content="any"><title>Worldwright</title><script src="./_explorer/x.js"></script></head>
<body><div id="app"></div><noscript>Without it: $&</noscript></body>`,
    headers: { 'content-security-policy': "script-src 'self'" },
  }
  const { get, page } = await world([], { shell })
  const response = await get('/')
  assert.equal(response.headers.get('content-security-policy'), "script-src 'self'")
  const text = await response.text()
  assert.equal(text.match(/<title>.*?<\/title>/g)?.join(), '<title>Sol &amp; Co</title>')
  assert.match(text, /<div id="app"><\/div><noscript><main><h1 dir="auto">Sol &amp; Co<\/h1>.*Planets/s)
  assert.match(text, /x\.js"><\/script><noscript><link rel="stylesheet" [^>]*><\/noscript><\/head>/)
  const explore = 'href="/#/w/https%3A%2F%2Fsol.example/t/sol%3Aplanet"'
  assert.ok((await page('/t/sol%3Aplanet')).includes(explore))
})

/** Strings that try to end a tag, an attribute, a script or a comment. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</script><script>alert(1)</script>',
  '</noscript><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '<!--<script>',
  'javascript:alert(1)',
  'https://x.example/"onclick="alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '\u0000\u0007\u202e\ud800 $& $1',
  '__proto__',
]

test('hostile text is escaped wherever it appears', async () => {
  for (const text of HOSTILE) {
    const safe = text.toWellFormed().replaceAll('\u0000', '').replaceAll('\u0007', '')
    const attributes = JSON.parse(
      JSON.stringify({ a: safe, [safe]: safe, picture: safe, site: safe, list: [{ [safe]: [safe] }] }),
    )
    const { get } = await world([{ id: 'x', title: safe, summary: safe, attributes }])
    for (const path of ['/t/sol%3Aplanet/x', '/t/sol%3Aplanet', '/']) {
      const response = await get(path)
      assert.equal(response.status, 200)
      const page = await response.text()
      const tags = new Set(
        page.match(/<\/?[a-z!][a-z0-9]*/gi)?.map((tag) => tag.replace(/^<\/?/, '').toLowerCase()),
      )
      assert.deepEqual([...tags.difference(KNOWN_TAGS)], [], `${path} of ${text}`)
      assert.equal(page.match(/<script/g)?.length, 1)
      assert.doesNotMatch(page.replaceAll(/"[^"]*"/g, '""'), /<[^>]*\s(?:on\w+|style)=/i)
      assert.doesNotMatch(page, /(?:href|src)="(?!\/|https?:\/\/)/i)
      assert.doesNotThrow(() => dataIn(page))
    }
  }
})

const KNOWN_TAGS = new Set(
  '! !doctype html head meta link title script body header a main h1 h2 p dl dt dd ul li span nav time data img footer code'.split(
    ' ',
  ),
)
