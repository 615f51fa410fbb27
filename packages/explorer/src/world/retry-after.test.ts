import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patientFetch, waits } from './retry-after.ts'

test('the wait that a world requests is recorded until the world answers normally', async () => {
  const answers = [
    new Response('', { status: 429, headers: { 'retry-after': '14' } }),
    new Response('{}'),
    new Response('', {
      status: 503,
      headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() },
    }),
    new Response('', { status: 503, headers: { 'retry-after': 'soon' } }),
    new Response('', { status: 200, headers: { 'retry-after': '14' } }),
  ]
  const ask = patientFetch('sol.example', async () => answers.shift() ?? Response.error())
  const left = async () => {
    await ask('https://sol.example/x', {})
    return Math.round(((waits.value.get('sol.example') ?? Date.now()) - Date.now()) / 10_000) * 10
  }
  assert.deepEqual([await left(), await left(), await left(), await left(), await left()], [10, 0, 60, 0, 0])
})
