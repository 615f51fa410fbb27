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

test('downloads are where a world names them, on its own origin, and are not offered if they need a token', () => {
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

test('only files of the world are read from a list; an invalid list is refused', async () => {
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
  await assert.rejects(read([]), /lists no downloads/)
  await assert.rejects(read({ downloads }, 503), /503/)
})
