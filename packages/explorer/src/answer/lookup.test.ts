import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Askable, askablesOf } from '../question/askable.ts'
import { typeIn } from '../world/world-profile.ts'
import { NAMED, openBridges } from './bridges.fixture.ts'
import { lookupIn } from './lookup.ts'

const { signal } = new AbortController()

async function opened(output: object) {
  const { open, asked } = await openBridges({
    answers: {
      'actions/wp:discover': { output: { entities: NAMED } },
      'actions/worldwright:query': { output },
    },
  })
  const askables = askablesOf(open.profile, typeIn(open.profile, 'b:bridge'))
  const builders = askables.filter(({ key }) => key === 'builders')
  return { ...lookupIn(open.world, signal), asked, builders }
}

const facet = (values: readonly string[], more = false) => ({
  facets: [{ buckets: values.map((value) => ({ value, count: 1 })), more }],
})
const shown = (found: readonly (readonly [Askable, string])[]) =>
  found.map(([{ key }, value]) => [key, value])

test('entities are found only by their whole title or alias, whatever its case and accents', async () => {
  const { entities, asked } = await opened({})
  const ids = async (text: string) => (await entities(text, ['b:river'])).map(({ id }) => id)
  assert.deepEqual(await ids('ÉLDE'), ['elde'])
  assert.deepEqual(await ids('old elde'), ['elde'])
  assert.deepEqual(await ids('Newby'), ['newby1', 'newby2'])
  assert.deepEqual(await ids('Old'), [])
  assert.equal(asked[0], 'actions/wp:discover {"text":"ÉLDE","types":["b:river"],"limit":10}')
})

test('values are found whole, or by their end if that is wanted', async () => {
  const { values, builders } = await opened(facet(['Ada Quill', 'Quill Works', 'Tranquill', 'Lund']))
  assert.deepEqual(shown(await values('lund', 'b:bridge', builders, false)), [['builders', 'Lund']])
  assert.deepEqual(shown(await values('Quill', 'b:bridge', builders, true)), [['builders', 'Ada Quill']])
  assert.deepEqual(await values('Quill', 'b:bridge', builders, false), [])
})

test('values are not found by their end if the world lists only some, and not among too many properties', async () => {
  const { values, builders, asked } = await opened(facet(['Ada Quill'], true))
  assert.deepEqual(await values('Quill', 'b:bridge', builders, true), [])
  assert.deepEqual(shown(await values('Ada Quill', 'b:bridge', builders, true)), [['builders', 'Ada Quill']])
  const before = asked.length
  assert.deepEqual(await values('Ada Quill', 'b:bridge', Array(9).fill(builders[0]), true), [])
  assert.equal(asked.length, before)
})
