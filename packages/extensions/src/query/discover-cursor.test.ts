import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { askedWorld } from './asked-world.fixture.ts'

const { send } = await askedWorld()

async function discover(input: JsonObject) {
  const { status, json } = await send('POST', '/api/world/v0/actions/wp%3Adiscover', { input })
  return { status, answer: status === 200 ? json.output : json }
}

const idsOf = ({ entities }: { entities: { id: string }[] }) => entities.map(({ id }) => id)

test('paging with cursors returns every match once, with and without text', async () => {
  for (const asked of [
    {},
    { text: 'moon' },
    { text: 'moon jupiter' },
    { types: ['sol:moon', 'sol:planet'] },
  ]) {
    const whole = (await discover(asked)).answer
    assert.equal(whole.nextCursor, undefined)
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const { answer } = await discover({ ...asked, limit: 3, ...(cursor !== undefined && { cursor }) })
      assert.equal(answer.total, whole.total)
      walked.push(...idsOf(answer))
      cursor = answer.nextCursor
    } while (cursor !== undefined)
    assert.deepEqual(walked, idsOf(whole), JSON.stringify(asked))
    assert.ok(walked.length > 3)
  }
})

test('a cursor is valid only for the same text and set of types', async () => {
  const types = ['sol:planet', 'sol:moon']
  const { nextCursor: cursor } = (await discover({ types, text: 'moon', limit: 2 })).answer
  const again = await discover({ types: ['sol:none', ...types.toReversed()], text: 'moon', limit: 1, cursor })
  assert.equal(again.status, 200)
  for (const input of [
    { types, cursor },
    { types, text: 'io', cursor },
    { types: ['sol:moon'], text: 'moon', cursor },
    { types, text: 'moon', cursor: `${cursor}A` },
    { cursor: '' },
  ]) {
    const { status, answer } = await discover(input)
    assert.deepEqual([status, answer.code], [400, 'invalid_cursor'], JSON.stringify(input))
  }
  const query = await send('POST', '/api/world/v0/actions/worldwright%3Aquery', {
    input: { types, text: 'moon', cursor },
  })
  assert.deepEqual([query.status, query.json.code], [400, 'invalid_cursor'])
  const { status, answer } = await discover({ cursor: 5 })
  assert.deepEqual([status, answer.details.fields[0].pointer], [400, '/input/cursor'])
})
