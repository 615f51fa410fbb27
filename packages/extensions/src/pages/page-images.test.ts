import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createImageMaker, type ImageMaker } from '../images/index.ts'
import { decodePng, differingPixels } from '../images/png.fixture.ts'
import { world } from './world-pages.fixture.ts'

const images = createImageMaker() as ImageMaker
after(() => images.close())

const MARS = {
  id: 'mars',
  title: 'Mars',
  attributes: { radius: 3390, star: { type: 'sol:star', id: 'sun' } },
}

/** Returns the properties that previews read, by name. */
function previewOf(page: string) {
  return Object.fromEntries(
    [...page.matchAll(/<meta (?:property|name)="((?:og:image|twitter)[^"]*)" content="([^"]*)">/g)].map(
      ([, name, content]) => [name, content],
    ),
  )
}

test('each page names its share image, with size and text', async () => {
  const { page, get } = await world([MARS], { images })
  const paths = {
    '/': '',
    '/t/sol%3Aplanet': '/t/sol%3Aplanet',
    '/t/sol%3Aplanet/mars': '/t/sol%3Aplanet/mars',
  }
  const titles = ['Sol &amp; Co', 'Planets', 'Mars']
  for (const [index, [path, below]] of Object.entries(paths).entries()) {
    const preview = previewOf(await page(path))
    assert.deepEqual(preview, {
      'og:image': `https://sol.example/image${below}`,
      'og:image:alt': titles[index],
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:type': 'image/png',
      'twitter:card': 'summary_large_image',
    })
    const image = await get(`/image${below}`)
    assert.equal(image.status, 200)
    assert.equal(image.headers.get('content-type'), 'image/png')
    assert.equal(image.headers.get('cache-control'), 'public, no-cache')
    const { width, height, pixels } = decodePng(await image.bytes())
    assert.deepEqual([width, height], [1_200, 630])
    assert.ok(new Set(pixels).size > 20)
  }
})

test('an image changes with its entity, and is not sent again unless it has', async () => {
  const { get, put } = await world([MARS], { images })
  const path = '/image/t/sol%3Aplanet/mars'
  const first = await get(path)
  const tag = first.headers.get('etag') ?? ''
  assert.equal((await get(path, { 'if-none-match': tag })).status, 304)
  await put({ ...MARS, attributes: { radius: 3389.5 } })
  const second = await get(path, { 'if-none-match': tag })
  assert.equal(second.status, 200)
  const differing = differingPixels(decodePng(await first.bytes()), decodePng(await second.bytes()))
  assert.ok(differing > 100 && differing < 20_000, String(differing))
})

test('there is no image of what there is not', async () => {
  const { get } = await world([MARS], { images })
  for (const path of ['/image/t/sol%3Aplanet/vulcan', '/image/t/sol%3Aghost', '/image/t', '/image/x'])
    assert.equal((await get(path)).status, 404, path)
})

test('an id that ends like a picture has an image of its own', async () => {
  const { get, page } = await world([{ id: 'a.png' }, { id: 'read.md' }], { images })
  for (const id of ['a.png', 'read%2Emd']) {
    const { 'og:image': image = '' } = previewOf(await page(`/t/sol%3Aplanet/${id}`))
    assert.equal(image, `https://sol.example/image/t/sol%3Aplanet/${id}`)
    assert.equal((await get(new URL(image).pathname)).status, 200)
  }
})

test('a picture of its own is kept if previews show its kind', async () => {
  const named = async (picture: string, options = {}) => {
    const { page } = await world([{ id: 'x', attributes: { picture } }], { images, ...options })
    return previewOf(await page('/t/sol%3Aplanet/x'))['og:image']
  }
  for (const picture of ['/attachments/x.jpg', '/attachments/x.png', '/attachments/x.WEBP', '/attachments/x'])
    assert.equal(await named(picture), `https://sol.example${picture}`)
  for (const picture of ['/attachments/x.svg', '/attachments/x.AVIF', 'https://far.example/x.svg?y'])
    assert.equal(await named(picture), 'https://sol.example/image/t/sol%3Aplanet/x')
  assert.equal(await named('/attachments/x.svg', { images: false }), 'https://sol.example/attachments/x.svg')
})

test('without a maker of images, pages name none and have none', async () => {
  const { page, get } = await world([MARS], { images: false })
  for (const path of ['/', '/t/sol%3Aplanet', '/t/sol%3Aplanet/mars']) {
    assert.deepEqual(previewOf(await page(path)), {})
    assert.equal((await get(`/image${path === '/' ? '' : path}`)).status, 404)
  }
})

test('hostile and odd entities have images', async () => {
  const hostile = `</text><script>alert(1)</script>&\u202e\u0000\ud800 ]]>`
    .toWellFormed()
    .replaceAll('\u0000', '')
  const attributes = JSON.parse(
    JSON.stringify({
      [hostile]: hostile,
      a: [hostile],
      b: { c: hostile },
      d: 'x'.repeat(5_000),
      constructor: 1,
    }),
  )
  const odd = [...Array(12).keys()].map((index) => ({
    id: `${index}`,
    title: hostile,
    summary: hostile,
    attributes,
  }))
  const { get } = await world(odd, { images }, { name: hostile, description: hostile })
  for (const path of ['', '/t/sol%3Aplanet', '/t/sol%3Aplanet/0'])
    assert.equal((await get(`/image${path}`)).status, 200, path)
})

test('locations on the Earth make a map, those elsewhere do not', async () => {
  const at = (id: string, more = {}) => ({
    id,
    attributes: { site: { latitude: 50, longitude: 10 }, ...more },
  })
  const sea = async (entities: ReturnType<typeof at>[], types?: object[]) => {
    const { get } = await world(entities, { images }, types === undefined ? {} : { types: types as never })
    const { pixels } = decodePng(await (await get('/image/t/sol%3Aplanet')).bytes())
    return pixels.filter((pixel) => pixel === 0xe9f2f8ff).length
  }
  assert.ok((await sea([at('a'), at('b', { body: 'Earth' })])) > 50_000)
  assert.equal(
    await sea([at('a', { body: 'mars' }), at('b', { locatedOn: { type: 'sol:moon', id: 'io' } })]),
    0,
  )
  assert.equal(await sea([at('a')], [{ type: 'sol:planet', schema: { 'x-body': 'moon' } }]), 0)
})
