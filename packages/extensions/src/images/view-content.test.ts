import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ViewRow, viewContent } from './view-content.ts'

const row = (label: string, number: number | undefined, latitude?: number): ViewRow => ({
  label,
  values: [{ shown: number === undefined ? '–' : `${number} km`, number }, { shown: 'rocky' }],
  ...(latitude !== undefined && { point: { latitude, longitude: 5 } }),
})
const COLUMNS = { label: 'Name', columns: ['Radius', 'Kind'] }
const table = (rows: ViewRow[], measure?: number) => viewContent({ ...COLUMNS, rows, measure })

test('a view that begins with the largest is shown as bars, and so are groups', () => {
  const rows = [...Array(12).keys()].map((index) => row(`m${index}`, 100 - index, 1))
  const content = table(rows, 0)
  assert.equal(content?.kind === 'bars' && content.bars.length, 8)
  assert.deepEqual(content?.kind === 'bars' && content.bars[1], { label: 'm1', value: 99, shown: '99 km' })
  const groups = [{ label: 'icy', values: [{ shown: '3', number: 3 }] }]
  assert.deepEqual(viewContent({ label: 'Kind', columns: ['Count'], rows: groups, measure: 0 }), {
    kind: 'bars',
    bars: [{ label: 'icy', value: 3, shown: '3' }],
  })
})

test('bars need a number of at least 0 in each row', () => {
  for (const number of [undefined, -1, Number.NaN, Infinity])
    assert.equal(table([row('a', 1), row('b', number)], 0)?.kind, 'table')
  assert.equal(table([row('a', 1), row('b', 0)], 0)?.kind, 'bars')
  assert.equal(table([row('a', 1)])?.kind, 'table')
  assert.equal(table([row('a', 1)], 7)?.kind, 'table')
})

test('most rows with a location make a map, others a table', () => {
  const content = table([row('a', 1, 10), row('b', 2, 20), row('c', 3)])
  assert.deepEqual(content, {
    kind: 'map',
    points: [
      { latitude: 10, longitude: 5 },
      { latitude: 20, longitude: 5 },
    ],
  })
  assert.deepEqual(table([row('a', 1, 10), row('b', 2)]), {
    kind: 'table',
    columns: ['Name', 'Radius', 'Kind'],
    rows: [
      ['a', '1 km', 'rocky'],
      ['b', '2 km', 'rocky'],
    ],
  })
  assert.equal(table([]), undefined)
})
