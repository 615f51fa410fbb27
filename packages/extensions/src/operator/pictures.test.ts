import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { attachments, pictureStore } from '../attachments/index.ts'
import { openApi } from '../openapi/index.ts'
import { operated } from './operator.fixture.ts'
import type { Scope } from './tokens.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\nthe rest of a picture', 'latin1')
const PICTURES = '/api/operator/v0/pictures/sol%3Amoon'

async function withPictures(t: TestContext, scopes: readonly Scope[] = ['write']) {
  const root = await mkdtemp(join(tmpdir(), 'pictures-'))
  t.after(() => rm(root, { recursive: true }))
  const folder = join(root, 'attached')
  const extensions = [attachments({ folder }), openApi()]
  const world = await operated(scopes, { pictures: pictureStore(folder), extensions })
  const send = (bytes: Uint8Array, type = 'image/png', target = PICTURES, more = {}) =>
    world.send('POST', target, bytes, { 'content-type': type, ...more })
  return { ...world, folder, root, post: send }
}

test('a picture is stored under its digest, and served', async (t) => {
  const { post, send, folder, audited } = await withPictures(t)
  const { status, headers, json } = await post(PNG)
  assert.deepEqual([status, headers['cache-control']], [201, 'private, no-cache'])
  const name = `${createHash('sha256').update(PNG).digest('hex')}.png`
  assert.deepEqual(json(), { path: `/attachments/uploads/${name}` })
  const served = await send('GET', json().path)
  assert.equal(served.headers['content-type'], 'image/png')
  assert.equal(served.text, PNG.toString())
  const { type, picture, status: noted } = audited[0] ?? {}
  assert.deepEqual([type, picture, noted], ['sol:moon', json().path, 201])
  assert.equal((await post(PNG)).text, JSON.stringify(json()))
  assert.deepEqual(await readdir(join(folder, 'uploads')), [name], 'nothing else is left')
})

test('the content tells the format of a picture', async (t) => {
  const { post } = await withPictures(t)
  const starts = {
    avif: '\0\0\0\x20ftypavif',
    gif: 'GIF89a',
    jpg: '\xff\xd8\xff\xe0',
    webp: 'RIFF\x10\x20\x30\x40WEBPVP8 ',
  }
  for (const [ending, start] of Object.entries(starts)) {
    const { status, json } = await post(Buffer.from(start, 'latin1'))
    assert.deepEqual([status, json().path.split('.').at(-1)], [201, ending])
  }
})

test('what is no picture, too large or in the wrong place is refused, and nothing is stored', async (t) => {
  const { post, folder } = await withPictures(t)
  const large = Buffer.concat([PNG, Buffer.alloc(4_000_000)])
  const refused: [number, string, ...Parameters<typeof post>][] = [
    [415, 'unsupported_media_type', Buffer.from('<svg onload="alert(1)"/>')],
    [415, 'unsupported_media_type', Buffer.from('')],
    [415, 'unsupported_media_type', PNG, 'image/svg+xml'],
    [415, 'unsupported_media_type', PNG, 'text/html'],
    [415, 'unsupported_media_type', PNG, 'image/png', PICTURES, { 'content-encoding': 'gzip' }],
    [413, 'payload_too_large', large],
    [404, 'unknown_type', PNG, 'image/png', '/api/operator/v0/pictures/sol%3Aghost'],
    [400, 'invalid_type', PNG, 'image/png', '/api/operator/v0/pictures/..%2F..'],
  ]
  for (const [status, code, ...request] of refused) {
    const response = await post(...request)
    assert.deepEqual([response.status, response.json().code], [status, code], response.text)
  }
  await assert.rejects(readdir(folder), { code: 'ENOENT' })
})

test('only a token that may write the type may store a picture for it', async (t) => {
  for (const [scopes, target, status] of [
    [['write:sol:moon'], PICTURES, 201],
    [['write:sol:moon'], '/api/operator/v0/pictures/sol%3Anote', 403],
    [['read', 'call'], PICTURES, 403],
  ] as const) {
    const { post } = await withPictures(t, scopes)
    assert.equal((await post(PNG, 'image/png', target)).status, status)
    const none = { authorization: 'Bearer ww_0123456789_none' }
    assert.equal((await post(PNG, 'image/png', target, none)).status, 401)
  }
})

test('a folder that cannot be written is a temporary error, and is logged', async (t) => {
  const { post, folder, logged } = await withPictures(t)
  await writeFile(folder, 'a file in the place of the folder')
  const { status, json } = await post(PNG)
  assert.deepEqual([status, json().details.reason], [503, 'attachments_not_written'])
  assert.equal(logged[0]?.event, 'unavailable')
})

test('nothing is stored through a link that leads out of the folder, where it would not be served', async (t) => {
  const { post, folder, root } = await withPictures(t)
  const outside = join(root, 'outside')
  await mkdir(folder)
  await mkdir(outside)
  await symlink(outside, join(folder, 'uploads'))
  const { status, json } = await post(PNG)
  assert.deepEqual([status, json().details?.reason], [503, 'attachments_not_written'])
  assert.deepEqual(await readdir(outside), [])
})

test('at most 16 pictures are received at once', async (t) => {
  const { ask, post } = await withPictures(t)
  const end = Promise.withResolvers<void>()
  async function* slow() {
    yield PNG
    await end.promise
  }
  const begun = Array.from({ length: 16 }, () =>
    ask('POST', PICTURES, { 'content-type': 'image/png' }, slow()),
  )
  const { status, json } = await post(PNG)
  assert.deepEqual([status, json().details?.reason], [503, 'overloaded'])
  end.resolve()
  for (const answer of await Promise.all(begun)) assert.equal(answer.status, 201)
  assert.equal((await post(PNG)).status, 201)
})

test('a world without attachments accepts no pictures and declares none', async (t) => {
  const declared = async ({ send }: Pick<Awaited<ReturnType<typeof operated>>, 'send'>) =>
    (await send('GET', '/.well-known/world.json')).json().extensions['worldwright:operator'].pictures
  const without = await operated()
  assert.equal((await without.send('POST', PICTURES, PNG, { 'content-type': 'image/png' })).status, 404)
  assert.equal(await declared(without), undefined)
  const { send } = await withPictures(t)
  const { maxBytes, mediaTypes } = await declared({ send })
  assert.equal(maxBytes, 4_000_000)
  const { paths } = (await send('GET', '/openapi.json')).json()
  // A client that is generated from the description sends one of the names in it, so `image/*` would be refused.
  assert.deepEqual(Object.keys(paths[PICTURES].post.requestBody.content), mediaTypes)
})
