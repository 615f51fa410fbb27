import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENT, failure, json } from '../scripted-fetch.fixture.ts'
import { connect } from './foreign.ts'

const e = (id: string) => ({ type: 'sol:moon', id, attributes: {} })

/** Connects to a world whose list has the given pages by cursor, the first one at ''. Any other cursor is refused. */
async function paged(pages: Record<string, unknown>) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    if (url.endsWith('.json')) return json(200, DOCUMENT)
    sent.push(url)
    const page = pages[new URL(url).searchParams.get('cursor') ?? '']
    return page ? json(200, page) : failure(400, 'invalid_cursor')
  }
  const world = await connect('https://sol.example', { fetch, retries: 0 })
  return { world, entities: world.entities('sol:moon'), sent }
}

async function idsOf(entities: AsyncIterable<{ id: string }>) {
  const ids: string[] = []
  for await (const { id } of entities) ids.push(id)
  return ids
}

test('a body with very many members is read in linear time', async () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`member ${at}`, `${at}`]))
  const { entities, sent } = await paged({
    '': { entities: [e('a')], nextCursor: 'n', info: many },
    n: { items: [{ ...many, type: 'sol:moon', id: 'b' }], next: null, info: many },
  })
  assert.deepEqual(await idsOf(entities), ['a', 'b'])
  assert.equal(sent.length, 2)
})
