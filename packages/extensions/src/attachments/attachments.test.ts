import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { toFetch } from '../../../core/src/adapters/fetch.ts'
import type { Extension } from '../../../core/src/handler/extension.ts'
import { createWorld } from '../../../core/src/handler/handler.ts'
import type { WorldRequest } from '../../../core/src/handler/http.ts'
import { createMemoryStore } from '../../../core/src/store/memory.ts'
import { WorldFault } from '../../../core/src/world/errors.ts'
import { memorySearch } from '../../../search/src/entities/memory-search.ts'
import { attachments } from './routes.ts'

const PICTURE = Buffer.from('\x89PNG not really, but long enough to ask for parts of it')

async function served(t: TestContext, ...further: Extension[]) {
  const root = await mkdtemp(join(tmpdir(), 'attached-'))
  t.after(() => rm(root, { recursive: true }))
  const folder = join(root, 'pictures')
  await mkdir(join(folder, 'deep/deeper'), { recursive: true })
  await writeFile(join(root, 'secret.png'), 'secret')
  await writeFile(join(folder, 'io.png'), PICTURE)
  await writeFile(join(folder, 'deep/deeper/Ä #1.svg'), '<svg/>')
  await writeFile(join(folder, '.hidden.png'), 'hidden')
  await writeFile(join(folder, 'page.html'), '<script>alert(1)</script>')
  await writeFile(join(folder, 'empty.txt'), '')
  await symlink(join(root, 'secret.png'), join(folder, 'out.png'))
  await symlink(root, join(folder, 'up'))
  await symlink('io.png', join(folder, 'inside.png'))
  await symlink('loop.png', join(folder, 'loop.png'))
  const description = { id: 'urn:example:sol', types: async () => [] }
  const handler = createWorld({
    ...description,
    store: createMemoryStore({ search: memorySearch }),
    publicUrl: 'https://sol.example',
    extensions: [attachments({ folder }), ...further],
  })
  const fetched = toFetch(handler)
  return {
    folder,
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetched(new Request(`https://sol.example/attachments/${path}`, { headers, method })),
    handle: (target: string) => handler.handle({ method: 'GET', target, headers: {} }),
  }
}

test('a file is served with a digest and headers that forbid sniffing and scripts', async (t) => {
  const { get } = await served(t)
  const response = await get('io.png')
  assert.equal(response.status, 200)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), PICTURE)
  const digest = createHash('sha256').update(PICTURE).digest('base64url')
  const expected = {
    'content-type': 'image/png',
    'content-length': String(PICTURE.length),
    etag: `"${digest}"`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cache-control': 'public, max-age=60',
    'content-disposition': "inline; filename*=UTF-8''io.png",
    'access-control-allow-origin': '*',
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value, name)
  const drawing = await get(`deep/deeper/${encodeURIComponent('Ä #1.svg')}`)
  assert.equal(await drawing.text(), '<svg/>')
  assert.equal(drawing.headers.get('content-type'), 'image/svg+xml')
  const page = await get('page.html')
  assert.equal(page.headers.get('content-type'), 'application/octet-stream')
  assert.match(page.headers.get('content-disposition') ?? '', /^attachment/)
  assert.equal((await get('empty.txt')).status, 200)
  assert.equal((await get('inside.png')).status, 200)
})

test('a client that already has the content gets 304', async (t) => {
  const { get, folder } = await served(t)
  const etag = (await get('io.png')).headers.get('etag') ?? ''
  assert.equal((await get('io.png', { 'if-none-match': etag })).status, 304)
  assert.equal(
    (await get('io.png', { 'if-none-match': `"other", W/${etag}`, range: 'bytes=0-1' })).status,
    304,
  )
  const head = await get('io.png', {}, 'HEAD')
  assert.deepEqual([head.headers.get('content-length'), await head.text()], [String(PICTURE.length), ''])
  assert.equal((await get('io.png', { range: 'bytes=0-1', 'if-range': etag })).status, 206)
  await writeFile(join(folder, 'io.png'), 'another')
  const changed = await get('io.png', { range: 'bytes=0-1', 'if-range': etag, 'if-none-match': etag })
  assert.deepEqual([changed.status, await changed.text()], [200, 'another'])
})

test('byte ranges of a file are served', async (t) => {
  const { get } = await served(t)
  const size = PICTURE.length
  const parts: [range: string, status: number, start: number, end: number][] = [
    ['bytes=0-3', 206, 0, 4],
    ['bytes=4-', 206, 4, size],
    ['bytes=-5', 206, size - 5, size],
    ['bytes=-9999', 206, 0, size],
    [`bytes=${size - 1}-9999`, 206, size - 1, size],
    ['bytes=5-2', 200, 0, size],
    ['bytes=0-1,3-4', 200, 0, size],
    ['lines=1-2', 200, 0, size],
  ]
  for (const [range, status, start, end] of parts) {
    const response = await get('io.png', { range })
    assert.equal(response.status, status, range)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), PICTURE.subarray(start, end), range)
    const shown = status === 206 ? `bytes ${start}-${end - 1}/${size}` : null
    assert.equal(response.headers.get('content-range'), shown, range)
    assert.equal(response.headers.get('content-length'), String(end - start), range)
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const response = await get('io.png', { range })
    assert.deepEqual([response.status, response.headers.get('content-range')], [416, `bytes */${size}`])
    assert.equal(((await response.json()) as { code: string }).code, 'invalid_request')
  }
})

test('no name reaches a hidden file or a file outside the folder', async (t) => {
  const { handle } = await served(t)
  const names = [
    'out.png',
    'up/secret.png',
    'loop.png',
    '../secret.png',
    '%2e%2e/secret.png',
    '..%2fsecret.png',
    '%2e%2e%2fsecret.png',
    'deep/../../secret.png',
    'deep%5c..%5c..%5csecret.png',
    '.hidden.png',
    'io.png%00.jpg',
    'deep',
    'deep/',
    'io.png/',
    'io.png/x',
    'a'.repeat(300),
    'none.png',
    'C:%5cx',
    '',
  ]
  for (const name of names) {
    const { status, body } = await handle(`/attachments/${name}`)
    assert.equal(status, 404, name)
    assert.doesNotMatch(Buffer.from(body as Uint8Array).toString(), /secret|hidden/)
  }
})

test('attachments of a private world require a token', async (t) => {
  const admit = ({ headers }: WorldRequest) => {
    if (headers['authorization'] !== 'Bearer t') throw new WorldFault('unauthenticated', 'A token is needed.')
  }
  const { get } = await served(t, () => ({ name: 'sol:guard', admit }))
  assert.equal((await get('io.png')).status, 401)
  assert.equal((await get('none.png')).status, 401)
  const allowed = await get('io.png', { authorization: 'Bearer t' })
  assert.deepEqual([allowed.status, allowed.headers.get('cache-control')], [200, 'private, max-age=60'])
})
