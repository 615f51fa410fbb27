import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { dataIn, world } from './world-pages.fixture.ts'

test('a blank description is omitted', async () => {
  const words = { name: ' ', description: '', license: '', attribution: '\u200b' }
  const { page } = await world(
    [],
    {},
    { ...words, types: [{ type: 'sol:star', title: '', description: ' ' }] },
  )
  const home = await page('/')
  assert.match(home, /<h1 dir="auto">urn:example:sol<\/h1>\s*<ul/)
  assert.match(home, /<footer>\s*<p>For programs/)
  assert.match(home, />sol:star<\/a>\s*<span>0 · sol:star</)
  assert.doesNotMatch(home, /name="description"|rel="license"/)
  assert.match(await page('/t/sol%3Astar'), /<h1 dir="auto">sol:star<\/h1>/)
})

test('an invisible name is quoted, and an empty list is omitted', async () => {
  const schema = { properties: { radius: { title: ' ' } } }
  const types = [{ type: 'sol:planet', schema }, { type: 'sol:star' }]
  const { page } = await world([{ id: 'x', attributes: { '': 1, radius: 2 } }], {}, { types })
  const text = await page('/t/sol%3Aplanet/x')
  assert.match(text, /<dt>Radius<\/dt><dd dir="auto">2<\/dd><dt>&quot;&quot;<\/dt><dd dir="auto">1</)
  assert.doesNotMatch(await page('/t/sol%3Astar'), /<ul/)
})

test('the metadata names a picture on any origin, but the page loads none from other origins', async () => {
  const told = async (attributes: JsonObject, schema?: JsonObject) => {
    const { page } = await world(
      [{ id: 'x', attributes }],
      {},
      { types: [{ type: 'sol:planet', ...(schema && { schema }) }] },
    )
    const text = await page('/t/sol%3Aplanet/x')
    const [, preview = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? []
    return [preview, dataIn(text).image, /<img src="([^"]+)"/.exec(text)?.[1]]
  }
  const far = 'https://pictures.example/x.JPG?size=2'
  assert.deepEqual(await told({ site: 'https://a.example/', photo: far }), [far, far, undefined])
  assert.deepEqual(await told({ photos: ['/attachments/x.webp', far] }), [
    'https://sol.example/attachments/x.webp',
    'https://sol.example/attachments/x.webp',
    '/attachments/x.webp',
  ])
  const odd = 'https://pictures.example/picture?x'
  const schema = { properties: { photo: { contentMediaType: 'image/png' } } }
  assert.deepEqual(await told({ photo: odd }, schema), [odd, odd, undefined])
  // Not recognized as a picture, so the share image is named.
  const image = 'https://sol.example/image/t/sol%3Aplanet/x'
  assert.deepEqual(await told({ photo: odd }), [image, undefined, undefined])
})

test('a long summary is truncated in metadata and lists, but not on the entity page', async () => {
  const { page } = await world([{ id: 'x', summary: 'a'.repeat(9_000) }])
  const text = await page('/t/sol%3Aplanet/x')
  assert.match(text, /<meta name="description" content="a{299}…">.*<p class="summary" dir="auto">a{9000}</s)
  assert.match(dataIn(text).description, /^a{4999}…$/)
  assert.match(await page('/t/sol%3Aplanet'), /<span>a{299}…<\/span>/)
})

test('invisible text does not produce an empty heading or link', async () => {
  const blank = { id: 'blank', title: ' \u200b\u3164', summary: '\u00a0', attributes: {} }
  const { page } = await world([
    blank,
    { id: 'moon', attributes: { around: { type: 'sol:planet', id: 'blank' } } },
  ])
  const text = await page('/t/sol%3Aplanet/blank')
  assert.match(text, /<h1 dir="auto">blank<\/h1>/)
  assert.match(text, /<title>blank – Sol &amp; Co<\/title>/)
  assert.match(text, /<meta name="description" content="Planets: blank">/)
  assert.doesNotMatch(text, /class="summary"/)
  const data = dataIn(text)
  assert.deepEqual([data.name, data.description], ['blank', undefined])
  assert.match(await page('/t/sol%3Aplanet'), /<a href="\/t\/sol%3Aplanet\/blank">blank<\/a>\s*<\/li>/)
  assert.match(await page('/t/sol%3Aplanet/moon'), /<a href="\/t\/sol%3Aplanet\/blank">blank<\/a>/)
})
