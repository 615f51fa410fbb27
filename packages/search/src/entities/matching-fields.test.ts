import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { matchingFields } from './matching-fields.ts'

const entity = (members: JsonObject) => ({
  type: 'a:b',
  id: '1',
  revision: '1',
  json: JSON.stringify({ type: 'a:b', id: '1', attributes: {}, ...members }),
})

const BOOK = entity({
  title: 'The Wuthering Heights',
  summary: 'Moors, and heights of feeling.',
  attributes: {
    note: 'Set on moors',
    aliases: ['Sturm', 'Star-Wars of the moors'],
    'a/b': { deep: ['nothing', 'a moor'], page: 1847, price: 18.47, site: 'https://moors.example/heights' },
  },
})

async function fields(terms: readonly string[], rules = {}): Promise<readonly string[] | undefined> {
  return (await matchingFields([BOOK], terms, rules))[0]
}

test('matching fields are reported in the order title, aliases, summary, other attributes', async () => {
  assert.deepEqual(await fields(['height']), ['/title', '/summary'])
  assert.deepEqual(await fields(['moor']), [
    '/attributes/aliases/1',
    '/summary',
    '/attributes/note',
    '/attributes/a~1b/deep/1',
  ])
  assert.deepEqual(await fields(['1847']), ['/attributes/a~1b/page'])
  assert.deepEqual(await fields(['sturm']), ['/attributes/aliases/0'])
})

test('the type of a reference does not match, its id does', async () => {
  const moon = entity({ attributes: { orbits: { type: 'sol:planet', id: 'saturn' } } })
  assert.deepEqual(await matchingFields([moon], ['planet', 'saturn', 'sol'], {}), [['/attributes/orbits/id']])
})

test('joined compounds in names match, but fractions, web addresses and member names do not', async () => {
  assert.deepEqual(await fields(['starwar']), ['/attributes/aliases/1'])
  assert.deepEqual(await fields(['18.47', 'example', 'price']), [])
  assert.deepEqual(await fields([]), [])
})

test('attributes with weight 0 are not reported', async () => {
  const rules = { 'a:b': { note: { weight: 0 }, aliases: { weight: 0 } } }
  assert.deepEqual(await fields(['moor'], rules), ['/summary', '/attributes/a~1b/deep/1'])
})

test('at most five fields are reported, and none beyond 50,000 characters of text', async () => {
  const many = entity({ attributes: { list: Array.from({ length: 40 }, () => 'moon') } })
  const long = entity({ attributes: { first: 'moon', long: 'x '.repeat(30_000), last: 'moon' } })
  const [five, one] = await matchingFields([many, long], ['moon'], {})
  assert.equal(five?.length, 5)
  assert.deepEqual(one, ['/attributes/first'])
})
