import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../handler/handler.ts'
import { API, DESCRIPTION, JSON_TYPE, ORIGIN, pieces } from '../handler/world.fixture.ts'
import { sha256 } from '../store/digest.ts'
import { createMemoryStore } from '../store/memory.ts'
import { cursorAfter } from './cursor.ts'

const store = createMemoryStore()
await store.write(
  Array.from({ length: 102 }, (_, index) => ({
    put: { type: 'sol:moon', id: `m${index}`, title: 'moon', attributes: {} },
  })),
)
const { handle } = createWorld({ ...DESCRIPTION, store, publicUrl: ORIGIN })

/** Calls `wp:discover` with an input as JSON text. Returns the output, or the error body. */
async function discover(input: string) {
  const { body } = await handle({
    method: 'POST',
    target: `${API}/actions/wp:discover`,
    headers: JSON_TYPE,
    body: pieces(`{"input":${input}}`),
  })
  const answer = JSON.parse(Buffer.from(body as Uint8Array).toString())
  return answer.output ?? answer
}

test('limit defaults to 20 and is capped at 100', async () => {
  for (const [input, limit] of [
    ['{}', 20],
    ['{"limit":null}', 20],
    ['{"limit":0}', 0],
    ['{"limit":5.0}', 5],
    ['{"limit":100}', 100],
    ['{"limit":101}', 100],
    ['{"limit":1e300}', 100],
  ] as const) {
    const output = await discover(input)
    assert.deepEqual([output.limit, output.entities.length, output.total], [limit, limit, 102], input)
  }
})

test('an invalid limit, text or list of types is refused with a pointer and a reason', async () => {
  const types = (count: number) => JSON.stringify(Array.from({ length: count }, (_, one) => `sol:t${one}`))
  for (const [input, pointer, reason] of [
    ['{"limit":"5"}', '/input/limit', 'wrong_type'],
    ['{"limit":true}', '/input/limit', 'wrong_type'],
    ['{"limit":1.5}', '/input/limit', 'not_integer'],
    ['{"limit":1e400}', '/input/limit', 'not_integer'],
    ['{"limit":-1}', '/input/limit', 'too_small'],
    ['{"unfinished":1}', '/input/unfinished', 'wrong_type'],
    ['{"cursor":1}', '/input/cursor', 'wrong_type'],
    [`{"text":"${'🪐'.repeat(513)}"}`, '/input/text', 'too_long'],
    [`{"types":${types(33)}}`, '/input/types', 'too_many'],
    ['{"types":["sol:moon","moon"]}', '/input/types/1', 'malformed'],
  ] as const) {
    const { code, details } = await discover(input)
    assert.equal(code, 'invalid_input', input)
    assert.deepEqual(details.fields, [{ in: 'body', pointer, reason }])
  }
  assert.equal((await discover(`{"text":"${'🪐'.repeat(512)}"}`)).total, 0)
  assert.equal((await discover(`{"types":${types(32)}}`)).total, 0)
})

test('a cursor is valid only for the same text and types, with any limit', async () => {
  const { nextCursor: cursor } = await discover('{"text":"moon","types":["sol:moon"],"limit":2}')
  const again = (input: object) => discover(JSON.stringify({ ...input, cursor }))
  const next = await again({ text: 'moon', types: ['sol:moon'], limit: 3 })
  assert.deepEqual([next.entities.length, next.limit], [3, 3])
  for (const input of [
    { types: ['sol:moon'] },
    { text: 'moons', types: ['sol:moon'] },
    { text: 'moon' },
    { text: 'moon', types: ['sol:moon', 'sol:planet'] },
  ])
    assert.equal((await again(input)).code, 'invalid_cursor', JSON.stringify(input))
})

test('a forged cursor that does not match the sort order is refused', async () => {
  for (const [text, position] of [
    ['moon', ['sol:moon', 'm1']],
    ['moon', ['sol:moon', 'm1', '1']],
    ['moon', ['sol:moon', 'm1', 1, 1]],
    [null, ['sol:moon', 'm1', 1]],
  ] as const) {
    const type = ['wp:discover', sha256(JSON.stringify([null, text]))]
    const cursor = cursorAfter({ worldId: DESCRIPTION.id, type }, JSON.stringify(position))
    const { code, details } = await discover(JSON.stringify({ text, cursor }))
    assert.deepEqual([code, details], ['invalid_cursor', { reason: 'malformed' }], JSON.stringify(position))
  }
})

test('the store learns whether a text is unfinished, and its cursors do not continue a finished one', async () => {
  const asked: unknown[] = []
  const find: typeof store.find = (query) => {
    asked.push(query.unfinished)
    return store.find(query)
  }
  const world = createWorld({ ...DESCRIPTION, store: { ...store, find }, publicUrl: ORIGIN })
  const ask = async (input: object) => {
    const call = { method: 'POST', target: `${API}/actions/wp:discover`, headers: JSON_TYPE }
    const { body } = await world.handle({ ...call, body: pieces(JSON.stringify({ input })) })
    return JSON.parse(Buffer.from(body as Uint8Array).toString())
  }
  const { nextCursor: cursor } = (await ask({ text: 'moon', unfinished: true, limit: 1 })).output
  await ask({ text: 'moon', unfinished: false })
  assert.deepEqual(asked, [true, undefined])
  assert.equal((await ask({ text: 'moon', unfinished: true, cursor })).output.total, 102)
  assert.equal((await ask({ text: 'moon', cursor })).code, 'invalid_cursor')
})
