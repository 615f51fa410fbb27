import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { openFake } from '../fake-world.fixture.ts'
import { find, fire, get, press, show, startPage, texts, until } from '../page.fixture.ts'
import { pictureFrom } from '../text/links.ts'
import { keepToken } from '../world/tokens.ts'

startPage()
const { Photo } = await import('./photo.tsx')
const { Thumb } = await import('./thumb.tsx')
const sol = await openFake()

const pictureAt = (url: string) => {
  const picture = pictureFrom(url, [sol.origin], true)
  assert.ok(picture !== undefined)
  return picture
}
const broken = () => fire(get('img'), new window.Event('error'))
const entity = (photo: string) => ({ type: 'f:thing', id: 'x', title: 'X', attributes: { photo } })

test('a picture on an origin of the world is shown with a link to its file', () => {
  show(sol.within(h(Photo, { picture: pictureAt('/attachments/a.png'), label: 'Photo' })))
  const image = get('img')
  assert.equal(image.getAttribute('src'), `${sol.origin}/attachments/a.png`)
  assert.equal(image.getAttribute('alt'), 'Picture: Photo')
  assert.equal(image.getAttribute('referrerpolicy'), 'no-referrer')
  assert.equal(image.getAttribute('loading'), 'lazy')
  assert.equal(get('a').getAttribute('href'), `${sol.origin}/attachments/a.png`)
})

test('a picture that fails to load is reported', () => {
  show(sol.within(h(Photo, { picture: pictureAt('/attachments/a.png'), label: 'Photo' })))
  broken()
  assert.equal(find('img'), undefined)
  assert.deepEqual(texts('.soft'), ['The picture could not be shown.'])
})

test('consent for a host applies to all pictures on that host and to no others', () => {
  const one = pictureAt('https://one.example/a.png')
  const other = pictureAt('https://one.example/b.png')
  const third = pictureAt('https://third.example/c.png')
  const photos = [one, other, third].map((picture) => h(Photo, { picture, label: 'P', key: picture.href }))
  show(sol.within(photos))
  assert.equal(document.querySelectorAll('img').length, 0)
  press(get('button', 'Show the pictures from one.example'))
  const shown = [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))
  assert.deepEqual(shown, ['https://one.example/a.png', 'https://one.example/b.png'])
  assert.deepEqual(texts('button'), ['Show the pictures from third.example'])
  assert.equal(sessionStorage.getItem('worldwright.pictures'), '["one.example"]')
})

test('a thumbnail is shown only if the picture needs no consent', () => {
  show(sol.within(h(Thumb, { entity: entity('/attachments/a.png') })))
  assert.equal(get('img.thumb').getAttribute('alt'), '')
  broken()
  assert.equal(find('img'), undefined)
  show(sol.within(h(Thumb, { entity: entity('https://fourth.example/a.png') })))
  assert.equal(find('img'), undefined)
  show(sol.within(h(Thumb, { entity: entity('no picture') })))
  assert.equal(document.body.innerHTML, '')
})

test('a private picture is read with the token, and its object URL is revoked on unmount', async (t) => {
  const hidden = await openFake()
  keepToken(hidden.origin, 'secret')
  t.after(() => keepToken(hidden.origin, undefined))
  const sent: unknown[] = []
  t.mock.method(globalThis, 'fetch', async (url: string, { headers }: RequestInit) => {
    sent.push([url, headers])
    return new Response('bytes', { headers: { 'content-type': 'image/png' } })
  })
  const released = t.mock.method(URL, 'revokeObjectURL', () => {})
  t.mock.method(URL, 'createObjectURL', () => 'blob:one')
  const url = `${hidden.origin}/attachments/a.png`
  const picture = { href: url, host: 'hidden.example', isOwn: true }
  show(hidden.within(h(Photo, { picture, label: 'Photo' })))
  assert.equal(get('img').hasAttribute('src'), false)
  await until(() => get('img').getAttribute('src') === 'blob:one')
  assert.deepEqual(sent, [[url, { authorization: 'Bearer secret' }]])
  show(null)
  assert.deepEqual(released.mock.calls[0]?.arguments, ['blob:one'])
})

test('a private picture that cannot be read is reported', async (t) => {
  const hidden = await openFake()
  keepToken(hidden.origin, 'secret')
  t.after(() => keepToken(hidden.origin, undefined))
  t.mock.method(globalThis, 'fetch', async () => new Response('no', { status: 403 }))
  const picture = { href: `${hidden.origin}/attachments/a.png`, host: 'hidden.example', isOwn: true }
  show(hidden.within(h(Photo, { picture, label: 'Photo' })))
  await until(() => find('img') === undefined)
  assert.deepEqual(texts('.soft'), ['The picture could not be shown.'])
})
