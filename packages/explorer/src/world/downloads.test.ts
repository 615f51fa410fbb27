import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downloadsUrl, readDownloads } from './downloads.ts'
import type { WorldProfile } from './world-profile.ts'

const origin = 'https://sol.example'

function urlOf(path: unknown, needsToken = false) {
  return downloadsUrl({
    origin,
    needsToken,
    extensions: [['worldwright:downloads', { path }]],
  } as unknown as WorldProfile)
}

test('the download list must be on the world’s own origin and is undefined if a token is needed', () => {
  assert.equal(urlOf('/download'), 'https://sol.example/download')
  for (const path of [
    undefined,
    5,
    'https://other.example/x',
    '//other.example/x',
    'javascript:alert(1)',
    'http://',
  ])
    assert.equal(urlOf(path), undefined, String(path))
  assert.equal(urlOf('/download', true), undefined)
  const extensions = [
    ['worldwright:files', {}],
    ['worldwright:downloads', { path: '/download' }],
  ]
  const profile = { origin, needsToken: false, extensions } as unknown as WorldProfile
  assert.equal(downloadsUrl(profile), 'https://sol.example/download/index.json')
})

test('only files on the world’s origin are read from a list, and an invalid list is rejected', async () => {
  const read = (body: unknown, status = 200) =>
    readDownloads(
      `${origin}/download`,
      async () => Response.json(body, { status }),
      new AbortController().signal,
    )
  const downloads = [
    { path: '/download/world.ndjson', format: 'ndjson' },
    { path: '/download/sol%3Amoon.csv', format: 'csv', type: 'sol:moon', loses: 'Types.' },
    { path: 'javascript:alert(1)', format: 'csv' },
    { path: 'https://other.example/', format: 'csv' },
    { path: '/x' },
    null,
  ]
  assert.deepEqual(await read({ downloads }), [
    { url: `${origin}/download/world.ndjson`, format: 'ndjson', type: undefined, loses: undefined },
    { url: `${origin}/download/sol%3Amoon.csv`, format: 'csv', type: 'sol:moon', loses: 'Types.' },
  ])
  await assert.rejects(read([]), { code: 'invalid_response', status: 200 })
  await assert.rejects(read({ downloads }, 503), { code: 'http_503', status: 503 })
})

test('a list that cannot be read is reported as a network or response error', async () => {
  const read = (answer: () => Promise<Response>) =>
    readDownloads(`${origin}/download`, answer, new AbortController().signal)
  const failing = (error: Error) => read(() => Promise.reject(error))
  await assert.rejects(failing(new TypeError('fetch failed')), { code: 'network_error', status: 0 })
  await assert.rejects(failing(new DOMException('too slow', 'TimeoutError')), { code: 'timeout' })
  await assert.rejects(
    read(async () => new Response('<html>')),
    { code: 'invalid_response', url: `${origin}/download` },
  )
})
