import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPicture } from './private-picture.ts'

const { signal } = new AbortController()

/** Reads a picture from a world that answers like this; returns the token that was sent too. */
async function reading(href: string, api: string, answer: Response) {
  let authorization: string | null = null
  const fetch = async (_: string, init?: RequestInit) => {
    authorization = new Headers(init?.headers).get('authorization')
    return answer
  }
  const blob = await readPicture(href, { token: 'secret', api, signal, fetch }).catch((error: Error) => error)
  return { blob, authorization }
}

const png = (size = 3) => new Response(new Uint8Array(size), { headers: { 'content-type': 'image/png' } })

test('a picture is read with the token where the API is, and nowhere else', async () => {
  const path = '/attachments/a.png'
  for (const [origin, api, expected] of [
    ['https://sol.example', 'https://sol.example/api', 'Bearer secret'],
    ['http://127.0.0.1:80', 'http://127.0.0.1/api', 'Bearer secret'],
    ['https://sol.example', 'https://api.sol.example/', null],
    ['http://sol.example', 'http://sol.example/api', null],
  ] as const) {
    const { blob, authorization } = await reading(origin + path, api, png())
    assert.equal(authorization, expected, origin)
    assert.ok(blob instanceof Blob && blob.type === 'image/png' && blob.size === 3)
  }
})

test('a refused answer, one that is no picture, and one that is too large are not shown', async () => {
  const href = 'https://sol.example/attachments/a.png'
  for (const answer of [
    new Response('{}', { status: 401, headers: { 'content-type': 'application/json' } }),
    new Response('<script>', { headers: { 'content-type': 'text/html' } }),
    png(20_000_001),
  ]) {
    const { blob } = await reading(href, 'https://sol.example/api', answer)
    assert.ok(blob instanceof Error)
  }
})
