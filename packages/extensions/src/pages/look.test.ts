import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Look } from './index.ts'
import { world } from './world-pages.fixture.ts'

const LOOK: Look = {
  picture: { path: '/_pages/picture-a.webp', mediaType: 'image/webp', bytes: Buffer.from('RIFF') },
  logo: { path: '/_pages/logo-b.svg', mediaType: 'image/svg+xml', bytes: Buffer.from('<svg/>') },
  accent: { light: '#9a4a00', dark: '#f5b26b' },
}
const SHELL = { text: '<head><title>x</title></head><noscript>y</noscript> </body>', headers: {} }

test('the home page has picture and logo above its name, and previews show the picture', async () => {
  for (const shell of [undefined, SHELL]) {
    const { page } = await world([], { look: LOOK, shell })
    const text = await page('/')
    assert.match(
      text,
      /<main>\s*<img class="picture" src="\/_pages\/picture-a\.webp" alt=""><img class="logo" src="\/_pages\/logo-b\.svg" alt=""><h1/,
    )
    assert.ok(text.includes('<meta property="og:image" content="https://sol.example/_pages/picture-a.webp">'))
  }
  const { page } = await world([], { look: { picture: LOOK.logo } })
  assert.match(await page('/'), /og:image" content="https:\/\/sol\.example\/image"/)
})

test('pictures are served by their media types, and can run no code', async () => {
  const { get } = await world([], { look: LOOK })
  const logo = await get('/_pages/logo-b.svg')
  assert.equal(await logo.text(), '<svg/>')
  assert.equal(logo.headers.get('content-type'), 'image/svg+xml')
  assert.match(logo.headers.get('content-security-policy') ?? '', /^default-src 'none'; .*sandbox$/)
  assert.equal(logo.headers.get('x-content-type-options'), 'nosniff')
  assert.equal((await get('/_pages/logo-c.svg')).status, 404)
})

test('the accent colours the links of all pages, by a style sheet of its own', async () => {
  const styleAt = async (look: Look, path: string) => {
    const { page, get } = await world([{ id: 'mars' }], { look })
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(await page(path)) ?? []
    return [href, await (await get(href)).text()]
  }
  const [plain] = await styleAt({}, '/')
  for (const path of ['/', '/t/sol%3Aplanet/mars', '/v/sol%3Aplanet', '/none']) {
    const [href, style = ''] = await styleAt(LOOK, path === '/none' ? '/t/sol%3Aplanet/none' : path)
    assert.notEqual(href, plain)
    assert.match(style, /:root\{--link:light-dark\(#9a4a00,#f5b26b\)\}\n$/)
  }
})

test('discovery names the look and the featured stories', async () => {
  const stories = [
    { name: 'ä', title: 'Ä', description: 'About', isFeatured: true, parts: [] },
    { name: 'b', title: 'B', parts: [] },
  ]
  const declaredBy = async (options: object) => {
    const { page } = await world([], options)
    return JSON.parse(await page('/.well-known/world.json')).extensions['worldwright:pages']
  }
  const look = { picture: '/_pages/picture-a.webp', logo: '/_pages/logo-b.svg', accent: LOOK.accent }
  const told = [{ path: '/s/%C3%A4', title: 'Ä', description: 'About' }]
  assert.deepEqual(await declaredBy({ look: LOOK, stories }), { views: '/v/', ...look, stories: told })
  const tiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© Tiles' }
  assert.deepEqual(await declaredBy({ look: { tiles } }), { views: '/v/', tiles })
  assert.deepEqual(await declaredBy({}), { views: '/v/' })
  assert.deepEqual(await declaredBy({ look: LOOK, entityFiles: '/files' }), look)
  assert.equal(await declaredBy({ entityFiles: '/files' }), undefined)
})
