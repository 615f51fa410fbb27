import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntityTypeDescription } from '@worldwright/client/protocol'
import { readStory, type Story } from '../stories/index.ts'
import type { PagesOptions } from './index.ts'
import { world } from './world-pages.fixture.ts'

const MOON: EntityTypeDescription = {
  type: 'sol:moon',
  title: 'Moons',
  schema: {
    type: 'object',
    properties: {
      picture: { type: 'string' },
      radius: { type: 'number', title: 'Radius in km' },
      kind: { type: 'string' },
      planet: { type: 'object', properties: { type: { const: 'sol:planet' }, id: { type: 'string' } } },
    },
  },
}
const moons = Array.from({ length: 12 }, (_, at) => ({
  type: 'sol:moon',
  id: `m${at}`,
  title: `Moon <${at}>`,
  summary: `Number ${at}`,
  attributes: { radius: 1000 - at, kind: `k${at}`, planet: { type: 'sol:planet', id: 'saturn' } },
}))
const IO = {
  type: 'sol:moon',
  id: 'io',
  title: 'Io',
  attributes: { picture: '/attachments/io.webp', radius: 1821, kind: 'volcanic' },
}

const storyOf = (text: string, head = {}): Story => ({
  name: 'tour',
  ...(readStory(text, head) as Omit<Story, 'name'>),
})
const view = (address: string) => `\n\`\`\`view\n${address}\n\`\`\`\n`

const told = (text: string, options: Partial<PagesOptions> = {}) =>
  world(
    [...moons, IO, { id: 'saturn', title: 'Saturn' }],
    { stories: [storyOf(text, { isFeatured: true })], ...options },
    { types: async () => [MOON, { type: 'sol:planet', title: 'Planets' }] },
  )

test('a story is a page without scripts, with its metadata', async () => {
  const { get } = await told('# A tour\n\nOf **moons** & [planets](/t/sol%3Aplanet).\n\n## Next')
  const response = await get('/s/tour')
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self'/)
  const text = await response.text()
  for (const part of [
    '<title>A tour – Sol &amp; Co</title>',
    '<meta name="description" content="Of moons &amp; planets.">',
    '<link rel="canonical" href="https://sol.example/s/tour">',
    '<meta property="og:title" content="A tour">',
    '<h1 dir="auto">A tour</h1>',
    '<p>Of <strong>moons</strong> &amp; <a href="/t/sol%3Aplanet" rel="nofollow noreferrer">planets</a>.</p>',
    '<h2>Next</h2>',
  ])
    assert.ok(text.includes(part), `${part}\n${text}`)
  assert.doesNotMatch(text, /<script/)
})

test('a view is the table of its first rows, with its numbers and the link to all of it', async () => {
  const { page } = await told(`# T\n${view('/v/sol:moon?sort=-radius&view=map')}`)
  const text = await page('/s/tour')
  assert.match(
    text,
    /<figcaption><a href="\/v\/sol%3Amoon\?view=map&amp;sort=-radius">Moons, by radius in km, largest first/,
  )
  const rows = [...text.matchAll(/<th scope="row"[^>]*>(.*?)<\/th>/g)].map(([, row]) => row)
  assert.equal(rows.length, 10)
  assert.equal(rows[0], '<a href="/t/sol%3Amoon/io">Io</a>')
  assert.equal(rows[1], '<a href="/t/sol%3Amoon/m0">Moon &lt;0&gt;</a>')
  for (const part of ['13 found', 'These are the first 10.', 'The explorer draws a map.', '>Saturn</a>'])
    assert.ok(text.includes(part), part)
  const whole = await (await told(`# T\n${view('/v/sol:moon?in.radius=1500..')}`)).page('/s/tour')
  assert.match(whole, /1 found/)
  assert.doesNotMatch(whole, /These are the first/)
})

test('a summary is its drawn image, with the figures below it, if the server draws images', async () => {
  const block = view('/v/sol:moon?view=summary&by=kind')
  const { page, get } = await told(`# T\n${block}`)
  const text = await page('/s/tour')
  const [, src = '', alt] =
    /<img src="([^"]*)" alt="([^"]*)" width="1200" height="630" loading="lazy"><details><summary>Figures<\/summary><div class="wide"><table>/.exec(
      text,
    ) ?? []
  assert.equal(src, '/image/v/sol%3Amoon?view=summary&amp;by=kind')
  assert.ok(text.includes(`<figcaption><a href="/v/sol%3Amoon?view=summary&amp;by=kind">${alt}</a>`), text)
  assert.equal((await get(src.replace('&amp;', '&'))).headers.get('content-type'), 'image/png')
  for (const options of [{ images: false as const }, { entityFiles: '/files' }]) {
    const plain = await (await told(`# T\n${block}`, options)).page('/s/tour')
    assert.match(plain, /<table>/)
    assert.doesNotMatch(plain, /<img|<details/)
  }
})

test('a map is drawn if most entities have a location, and never as something else', async () => {
  const text = `# T\n${view('/v/sol:moon?view=map&sort=-radius&column=radius')}${view('/v/sol:moon?sort=-radius&column=radius')}`
  const { page, put } = await told(text)
  assert.doesNotMatch(await page('/s/tour'), /<img/)
  await put(...moons.map((moon) => ({ ...moon, attributes: { lat: 1, lon: 2 } })))
  const drawn = await page('/s/tour')
  assert.equal(drawn.match(/<img/g)?.length, 1, drawn)
  assert.match(drawn, /<img src="\/image\/v\/sol%3Amoon\?view=map/)
  assert.doesNotMatch(drawn, /explorer draws/)
})

test('groups of a view are cut with their number', async () => {
  const { page } = await told(`# T\n${view('/v/sol:moon?view=summary&by=kind')}`)
  const text = await page('/s/tour')
  assert.equal(text.match(/<th scope="row"/g)?.length, 10)
  assert.match(text, /These are the first 10 groups of 13\./)
})

test('an entity is a card with its picture, its summary and a few facts', async () => {
  const { page } = await told(`# T\n${view('sol:moon/io')}${view('/t/sol%3Amoon/m1')}`)
  const text = await page('/s/tour')
  assert.match(text, /<img src="\/attachments\/io\.webp" alt="">\n<p><a href="\/t\/sol%3Amoon\/io">Io<\/a>/)
  assert.match(text, /<p>Number 1<\/p>\n<dl><dt>Radius in km<\/dt><dd dir="auto">999<\/dd>/)
  assert.doesNotMatch(text, /<dt>Picture/)
})

test('a missing entity, an unknown type and a view that cannot be read are said in their places', async () => {
  const blocks = ['sol:moon/gone', 'sol:none/x', '/v/sol:moon?is.nothing=1'].map(view).join('')
  const { page } = await told(`# T\n${blocks}\nThe end.`)
  const text = await page('/s/tour')
  assert.equal(text.match(/<p class="card">This cannot be shown now: /g)?.length, 3)
  assert.match(text, /now: There is no entity of this type and id\./)
  assert.match(text, /The end\./)
})

test('no markup of a story reaches its page, and links lead to the web or this world only', async () => {
  const { page } = await told(
    '# <b>T</b>\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[a](javascript:alert(1)) [b](//evil.example) ![c](https://evil.example/c.png)',
  )
  const text = await page('/s/tour')
  assert.ok(text.includes('<h1 dir="auto">&lt;b&gt;T&lt;/b&gt;</h1>'), text)
  assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;'))
  assert.doesNotMatch(text, /<script|<img|href="(?:javascript|\/\/)/)
})

test('the home page names featured stories only, and other names are 404', async () => {
  const { page, get } = await told('# A <tour>\n\nOf moons.')
  assert.match(await page('/'), /<a href="\/s\/tour">A &lt;tour&gt;<\/a>\n<span>Of moons\.<\/span>/)
  assert.equal((await get('/s/none')).status, 404)
  const { page: plain } = await told('', { stories: [storyOf('# Hidden')] })
  assert.doesNotMatch(await plain('/'), /Hidden|Stories/)
})

test('a world of files has stories without links to views', async () => {
  const text = await (await told(`# T\n${view('/v/sol:moon?sort=-radius')}`, { entityFiles: '/files' })).page(
    '/s/tour',
  )
  assert.match(text, /<figcaption>Moons, by radius in km, largest first<\/figcaption>/)
  assert.doesNotMatch(text, /href="\/v\//)
})
