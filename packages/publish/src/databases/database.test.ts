import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonCells } from './database.ts'
import { columnFrom } from './mysql.ts'

test('numbers in JSON that a double cannot hold are kept as text, and their cells are counted', () => {
  const cells = new JsonCells()
  const json =
    '{"12345678901234567890": "12345678901234567890 \\" 1e999", "a": [1.50, 9007199254740991, 1e5]}'
  assert.equal(cells.exact('doc', json), json)
  assert.equal(cells.exact('doc', '{"a":\r\n1}'), '{"a": 1}')
  assert.deepEqual([...cells.asText], [])
  assert.equal(
    cells.exact(
      'doc',
      '[12345678901234567890, -9007199254740992, 0.12345678901234567890, 1e999, 1e-999, "\\\\"]',
    ),
    '["12345678901234567890", "-9007199254740992", "0.12345678901234567890", "1e999", "1e-999", "\\\\"]',
  )
  assert.equal(cells.exactOrText('other', '12345678901234567890'), '"12345678901234567890"')
  assert.equal(cells.exactOrText('other', 'no 12345678901234567890'), '"no 12345678901234567890"')
  assert.deepEqual(
    [...cells.asText],
    [
      ['doc', 1],
      ['other', 1],
    ],
  )
})

test('columns of MySQL are described as information_schema declares them', () => {
  const of = (declared: string) => columnFrom('a', declared, false, '')
  assert.deepEqual(columnFrom('a', "enum('x','it''s','')", true, 'Kind of it'), {
    name: 'a',
    type: 'text',
    required: true,
    description: 'Kind of it',
    values: ['x', "it's", ''],
  })
  const plain = { name: 'a', required: false }
  for (const [declared, type] of [
    ['int(11) unsigned', 'integer'],
    ['bigint', 'integer'],
    ['tinyint(1)', 'boolean'],
    ['point', 'text'],
    ['year(4)', 'integer'],
    ['datetime', 'text'],
    ['timestamp(6)', 'date-time'],
    ['json', 'json'],
    ['decimal(20,2)', 'text'],
    ['decimal(10,0)', 'text'],
    ["set('a','b')", 'text'],
  ] as const)
    assert.deepEqual(of(declared), { ...plain, type })
  assert.deepEqual(of('decimal(10,2)'), { ...plain, type: 'text', decimals: 2 })
  // MariaDB declares JSON as such.
  assert.deepEqual(of('longtext'), plain)
})
