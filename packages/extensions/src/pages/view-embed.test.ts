import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PagesOptions } from './index.ts'
import { world } from './world-pages.fixture.ts'

const SHELL = {
  text: '<head><title>x</title></head>',
  headers: { 'content-security-policy': "frame-ancestors 'none'" },
}
const PLANETS = [
  { id: 'mars', title: 'Mars & co', attributes: { radius: 3389.5 } },
  { id: 'venus', title: 'Venus', attributes: { radius: 6051.8 } },
]
const types = async () => [
  { type: 'sol:planet', title: 'Planets', schema: { properties: { radius: { type: 'number' } } } },
]
const sol = (options: Partial<PagesOptions> = {}, now?: () => Date) =>
  world(PLANETS, { shell: SHELL, ...options }, { types }, now)
const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? ''
const VIEW = '/v/sol%3Aplanet?sort=-radius'

test('only the page for frames can be framed, and only by the origins of the setting', async () => {
  const { get } = await sol({ embed: ['https://site.example', 'http://localhost:3000'] })
  const framed = await get(`${VIEW}&embed=1`)
  assert.match(policyOf(framed), /frame-ancestors https:\/\/site\.example http:\/\/localhost:3000$/)
  assert.match(policyOf(framed), /^default-src 'none'; style-src 'self'; /)
  const text = await framed.text()
  assert.match(text, /<base target="_blank">/)
  assert.doesNotMatch(text, /<script(?! type="application\/ld\+json")|noscript/)
  for (const path of [VIEW, '/', '/t/sol%3Aplanet', '/t/sol%3Aplanet/mars'])
    assert.match(policyOf(await get(path)), /frame-ancestors 'none'/, path)
  const { get: unset } = await sol()
  assert.match(policyOf(await unset(`${VIEW}&embed=1`)), /frame-ancestors 'none'/)
  assert.match(policyOf(await (await sol({ embed: ['*'] })).get(`${VIEW}&embed=1`)), /frame-ancestors \*$/)
})

test('origins that are none are refused when the world starts', async () => {
  for (const one of [
    'site.example',
    'https://site.example/',
    'https://a.example; script-src *',
    "'self'",
    '',
    'ftp://a.example',
  ])
    await assert.rejects(sol({ embed: [one] }), { name: 'TypeError', message: /^embed has origins/ }, one)
})

test('a view is described for programs that embed it, in the size that they allow', async () => {
  const { get, page } = await sol({ embed: ['*'] })
  const [, href = ''] =
    /type="application\/json\+oembed" title="[^"]+" href="https:\/\/sol\.example([^"]+)"/.exec(
      await page(VIEW),
    ) ?? []
  const response = await get(href)
  assert.equal(response.headers.get('content-type'), 'application/json+oembed; charset=utf-8')
  const src = 'https://sol.example/v/sol%3Aplanet?sort=-radius&amp;embed=1'
  const title = 'Planets, by radius, largest first'
  assert.deepEqual(await response.json(), {
    version: '1.0',
    type: 'rich',
    title,
    provider_name: 'Sol & Co',
    provider_url: 'https://sol.example/',
    width: 800,
    height: 480,
    html: `<iframe src="${src}" width="800" height="480" title="${title}" sandbox="allow-popups" loading="lazy"></iframe>`,
  })
  const sized = async (more: string) => {
    const { width, height } = JSON.parse(await page(href + more))
    return [width, height]
  }
  assert.deepEqual(await sized('&maxwidth=300&maxheight=100'), [300, 100])
  assert.deepEqual(await sized('&maxwidth=99999999999&maxheight=-1'), [800, 480])
})

test('other URLs than those of own views are not described, nor other formats than JSON', async () => {
  const { get } = await sol({ embed: ['*'] })
  const own = 'https://sol.example/v/sol%3Aplanet'
  const status = async (url: string, more = '') =>
    (await get(`/oembed?url=${encodeURIComponent(url)}${more}`)).status
  assert.equal(await status(own), 200)
  for (const url of [
    '',
    'x',
    'https://evil.example/v/sol%3Aplanet',
    'http://sol.example/v/sol%3Aplanet',
    `${own}?iss.x=1`,
    'https://sol.example/v/sol%3Acomet',
    'https://sol.example/v/%zz',
    'https://sol.example/t/sol%3Aplanet',
    'javascript:alert(1)',
  ])
    assert.equal(await status(url), 404, url)
  assert.equal(await status(own, '&format=json'), 200)
  assert.equal(await status(own, '&format=xml'), 501)
})

test('the feed of a view has its entities, the last change first, and ids that do not depend on its order', async () => {
  let year = 2020
  const { get, put } = await sol({}, () => new Date(Date.UTC(year++)))
  await put(
    { id: 'venus', title: 'Venus', attributes: { radius: 6052 } },
    { id: 'pluto', attributes: { radius: 1188 } },
  )
  const response = await get('/v/sol%3Aplanet?sort=-radius&in.radius=2000..&view=table&format=atom')
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const text = await response.text()
  const id = 'https://sol.example/v/sol%3Aplanet?in.radius=2000..&amp;format=atom'
  assert.match(
    text,
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">\n<title>Planets: radius at least 2000 – Sol &amp; Co<\/title>/,
  )
  assert.ok(text.includes(`<id>${id}</id>\n<link rel="self" href="${id}"/>`), text)
  assert.deepEqual(
    [...text.matchAll(/<entry>\n<title>(.*?)<\/title>\n<id>(.*?)<\/id>/g)].map(([, title, one]) => [
      title,
      one,
    ]),
    [
      ['Venus', 'https://sol.example/t/sol%3Aplanet/venus'],
      ['Mars &amp; co', 'https://sol.example/t/sol%3Aplanet/mars'],
    ],
  )
  for (const [, time = ''] of text.matchAll(/<updated>(.*?)<\/updated>/g))
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  assert.equal((await get('/v/sol%3Aplanet?is.nothing=1&format=atom')).status, 400)
})
