import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPicture } from './private-picture.ts'

const { signal } = new AbortController()

/** Reads a picture with `answer` as the response. Also returns the `Authorization` header that was sent. */
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

test('the token is sent only to the origin of the API, and over http only on loopback', async () => {
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

test('an error response, a response other than a picture, and a large picture are rejected', async () => {
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
