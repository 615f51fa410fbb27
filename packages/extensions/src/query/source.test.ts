import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '@worldwright/core'
import { pieces } from '../../../core/src/handler/world.fixture.ts'
import { arraySource } from '../../../core/src/store/array-source.fixture.ts'
import { query } from './index.ts'

test('a world over a source alone refuses conditions, since it has no index', async () => {
  const store = arraySource([{ type: 'sol:moon', id: 'io', title: 'Io', attributes: {} }])
  const publicUrl = 'https://sol.example'
  const { handle } = createWorld({
    id: 'urn:x:sol',
    types: [{ type: 'sol:moon' }],
    store,
    publicUrl,
    extensions: [query()],
  })
  const where = { op: '=', args: [{ property: 'title' }, 'Io'] }
  const { status, body } = await handle({
    method: 'POST',
    target: '/api/world/v0/actions/worldwright%3Aquery',
    headers: { 'content-type': 'application/json' },
    body: pieces(JSON.stringify({ input: { types: ['sol:moon'], where } })),
  })
  assert.equal(status, 501)
  assert.equal(JSON.parse(Buffer.from(body as Uint8Array).toString()).code, 'not_implemented')
})
