import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld, toFetch } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { query } from '@worldwright/extensions/query'
import { memorySearch } from '@worldwright/search/entities'
import type { GroupResult } from '../../../core/src/store/query/groups.ts'
import { runWith } from '../memory-io.fixture.ts'

const PROPERTIES = { year: { type: 'number' }, rating: { type: 'number' }, title: { type: 'string' } }

/** Returns a world whose source answers every grouped query with `groups`. */
function books(groups: GroupResult): typeof fetch {
  const store = createMemoryStore({ search: memorySearch })
  const { find } = store
  store.find = async (asked) => ({ ...(await find(asked)), ...(asked.group && { groups }) })
  const types = [{ type: 'my:book', schema: { properties: PROPERTIES } }]
  const extensions = [query()]
  const world = createWorld({
    id: 'urn:x:books',
    types,
    store,
    publicUrl: 'https://books.example',
    extensions,
  })
  const answer = toFetch(world)
  return async (input, init) => answer(new Request(input, init))
}

const GROUPS: GroupResult = {
  groups: [
    { key: [1990, 'en'], count: 1_200, measures: [4.123456789, 12_345.678] },
    { key: [1980, null], count: 3, measures: [null, 7] },
    { key: [null, '=1+1'], count: 1, measures: [-0.5, 2001] },
  ],
  total: 3,
  ignored: [2, 0],
}
const ASKED = ['query', 'books.example', '--group', 'year:10', '--group', 'title']
const MEASURED = [...ASKED, '--measure', 'avg:rating', '--measure', 'sum:year', '--measure', 'count']

test('groups are printed as a table with aligned numbers', async () => {
  const { code, out, err } = await runWith(MEASURED, { fetch: books(GROUPS) })
  assert.equal(code, 0, err)
  assert.deepEqual(out.split('\n'), [
    'year:10  title  count  avg:rating   sum:year',
    '   1990  en      1200     4.12346  12,345.68',
    '   1980  –          3           –          7',
    '      –  =1+1       1        -0.5       2001',
    '',
  ])
  assert.equal(
    err,
    'avg:rating ignores values of 2 entities that are not of the kind number\n0 matches; 3 groups\n',
  )
})

test('notes name groups that are not shown, and a time budget that ran out', async () => {
  const fetch = books({ ...GROUPS, total: 240, partial: true })
  const { err } = await runWith(MEASURED, { fetch })
  assert.match(err, /^237 more groups: --group-limit 240 shows all\n/)
  assert.match(err, /0 matches; 240 groups; partial: the time budget of the query ran out\n$/)
})

test('--json prints the groups as the world sent them, and --csv as a table', async () => {
  const fetch = books({ ...GROUPS, total: 240 })
  const json = await runWith([...MEASURED, '--json'], { fetch })
  const { group, measures, groups, groupsTotal, moreGroups } = JSON.parse(json.out)
  assert.deepEqual([group[0].width, measures[0].ignored, groupsTotal, moreGroups], [10, 2, 240, true])
  assert.deepEqual(groups[0], { key: [1990, 'en'], count: 1200, measures: [4.123456789, 12345.678] })
  const csv = await runWith([...MEASURED, '--csv'], { fetch })
  assert.equal(
    csv.out,
    "\uFEFFyear:10,title,count,avg:rating,sum:year\n1990,en,1200,4.123456789,12345.678\n1980,,3,,7\n,'=1+1,1,-0.5,2001\n",
  )
  assert.match(csv.err, /^237 more groups/)
  const partial = await runWith([...MEASURED, '--csv'], { fetch: books({ ...GROUPS, partial: true }) })
  assert.deepEqual([partial.code, partial.out], [1, ''])
  const geojson = await runWith([...MEASURED, '--geojson'], { fetch })
  assert.deepEqual([geojson.code, geojson.out], [2, ''])
})

test('names in an answer cannot control the terminal', async () => {
  const answer = books(GROUPS)
  const hostile: typeof fetch = async (...asked) => {
    const response = await answer(...asked)
    const text = (await response.text()).replaceAll(
      '"property":"rating","kind"',
      '"property":"\\u001b[2J","kind"',
    )
    return new Response(text, { status: response.status, headers: response.headers })
  }
  const { code, out, err } = await runWith(MEASURED, { fetch: hostile })
  assert.equal(code, 0, err)
  assert.match(out, /avg:\\u001b\[2J/)
  assert.ok(!`${out}${err}`.includes('\u001b'))
})

test('a fault of a measure names its place and the kinds it takes', async () => {
  const fetch = books(GROUPS)
  const { code, err } = await runWith([...ASKED, '--measure', 'sum:title'], { fetch })
  assert.equal(code, 1)
  assert.match(err, /\/input\/measures\/0\/property: title holds texts; this needs the kind number/)
})
