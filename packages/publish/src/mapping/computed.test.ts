import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@worldwright/client/protocol'
import { DefinitionFault, definitionFromText } from '../definition/definition.ts'
import { cellTypesOf } from './cells.ts'
import { type Mapping, neededColumns } from './mapping.ts'
import { createRowMapper } from './row-mapper.ts'

function mapped(mapping: Mapping, record: JsonObject, cells = true) {
  const found = createRowMapper(mapping)(record, { cells, types: cellTypesOf(undefined), row: 1 })
  return 'record' in found ? found.record['attributes'] : found.faults.map(({ message }) => message)
}

/** Returns the value of an expression, undefined if there is none, or the messages of its faults. */
function value(expression: string, record: JsonObject = {}, mapping: Mapping = {}) {
  const found = mapped({ attributes: [], ...mapping, compute: { x: expression } }, record)
  return Array.isArray(found) ? found : (found as JsonObject)['x']
}

test('arithmetic, texts, dates and conditions are computed from cells', () => {
  const row = {
    price: '19.99',
    amount: '3',
    made: '2024-02-29',
    name: 'Io',
    'unit price': '2',
    on: 'yes',
    a: '9',
    b: '10',
  }
  const cases: [string, unknown][] = [
    ['price * amount', 59.97],
    ['0.1 + 0.2', 0.3],
    ['2 + 3 * 4 - -1', 15],
    ['(2 + 3) * -amount', -15],
    ['10 / 4 % 2', 0.5],
    ['"unit price" / 3', 0.666666666666667],
    ['round(1.005, 2)', 1.01],
    ['round(-2.5)', -3],
    ["concat(name, ' (', year(made), ')')", 'Io (2024)'],
    ['year(made) * 10000 + month(made) * 100 + day(made)', 20240229],
    ["if(a < b AND on, 'less', 'more')", 'less'],
    ["if(name = 'Io' OR price > 100, 1, 2)", 1],
    ["if(name IN ('Eu', 'Io') AND NOT price BETWEEN 20 AND 30, 'in')", 'in'],
    ["amount = '3.0'", false],
    ['amount = 3.0', true],
    ["made >= '2024-01-01'", true],
    ["if(price > 100, 'dear')", undefined],
  ]
  for (const [expression, expected] of cases) assert.deepEqual(value(expression, row), expected, expression)
})

test('an operand without a value gives no value, and so does a text that means empty', () => {
  const row = { a: '', b: 'n/a', c: '5' }
  const mapping: Mapping = { missing: ['n/a'] }
  for (const expression of [
    'a + c',
    'c - b',
    'concat(c, b)',
    'if(a > 1, 1, 2)',
    'a = c',
    'a > 1 OR b',
    'year(b)',
  ])
    assert.equal(value(expression, row, mapping), undefined, expression)
  assert.equal(value('if(b IS NULL, 0, b) + c', row, mapping), 5)
  assert.equal(value('c = 5 OR a', row, mapping), true)
  assert.equal(value('c > 9 AND a', row, mapping), false)
})

test('cells are read in their form, and numbers that no double holds are refused', () => {
  const cells = { price: { decimal: ',', suffix: ' €' }, made: { date: 'dd.mm.yyyy' } } as const
  assert.equal(value('price * 2', { price: '1,25 €' }, { cells }), 2.5)
  assert.equal(value('year(made)', { made: '05.02.2024' }, { cells }), 2024)
  const faults: [string, JsonObject, RegExp][] = [
    ['price * 2', { price: '1.25' }, /^x, computed from price: "1\.25" is no number written as 1234,5 € is$/],
    ['kg * 2', { kg: '5 kg' }, /"5 kg" is no number; if all cells have its unit, say suffix: "kg"$/],
    ['n + 0', { n: '9007199254740993' }, /no number that can be held exactly$/],
    ['n + 1', { n: '9007199254740991' }, /the result is no number that can be held exactly$/],
    ['n + 0.25', { n: '4503599627370496' }, /the result is no number that can be held exactly$/],
    ['n * n', { n: '1e200' }, /held exactly$/],
    ['n / m', { n: '1', m: '0' }, /^x, computed from n, m: division by zero$/],
    ['n % 0', { n: '1' }, /division by zero$/],
    ['year(n)', { n: '2023-02-29' }, /^x, computed from n: "2023-02-29" is no date/],
    ['n + 1', { n: ['1', '2'] }, /n is no single value$/],
    ['if(n, 1, 2)', { n: 'maybe' }, /"maybe" is neither true nor false$/],
    ['round(1, 99)', {}, /^x: round takes a number of decimals from 0 to 15$/],
  ]
  for (const [expression, row, message] of faults) {
    const found = value(expression, row, 'price' in row ? { cells } : {})
    assert.match(String((found as string[])[0]), message, expression)
  }
  // As a text it stays exact.
  assert.equal(value('concat(n)', { n: '9007199254740993' }), '9007199254740993')
  const doubled = Array.from({ length: 40 }, (_, at) => [`a${at + 1}`, `concat(a${at}, a${at})`] as const)
  const compute = { a0: "concat('0123456789')", ...Object.fromEntries(doubled) }
  assert.match(
    String(mapped({ attributes: [], compute }, {})),
    /^a13, computed from a12: a text of more than 65536/,
  )
})

test('attributes are computed from each other in any order, and odd names are only names', () => {
  const compute = { total: 'net + tax', tax: 'net * 0.25', constructor: 'net', toString: 'constructor + 1' }
  assert.deepEqual(mapped({ attributes: ['net'], compute }, { net: '8' }), {
    net: '8',
    total: 10,
    tax: 2,
    constructor: '8',
    toString: 9,
  })
  assert.deepEqual(neededColumns({ compute }), ['id', 'net'])
  assert.equal(value('hasOwnProperty', {}), undefined)
  assert.equal(value('__proto__', JSON.parse('{"__proto__": "p"}')), 'p')
  assert.equal(value('a.b + 1', { a: { b: 2 } }), 3)
})

test('renamed columns keep their form, and two columns are not one attribute', () => {
  const row = { id: '1', preis: '1,5', constructor: 'c', toString: 't' }
  const rename = { preis: 'price', constructor: 'maker' }
  const cells = { preis: { decimal: ',' } } as const
  assert.deepEqual(mapped({ rename, cells }, row), { price: 1.5, maker: 'c', toString: 't' })
  assert.deepEqual(mapped({ rename, attributes: ['preis'] }, row), { price: '1,5' })
  assert.deepEqual(mapped({ rename, attributes: 'all', compute: { twice: 'preis * 2' }, cells }, row), {
    id: '1',
    price: 1.5,
    maker: 'c',
    toString: 't',
    twice: 3,
  })
  assert.deepEqual(mapped({ rename: { a: 'b' } }, { id: '1', a: '1', b: '2' }), [
    '"b" is made of two columns; rename or compute another attribute',
  ])
  assert.deepEqual(mapped({ compute: { b: 'a' } }, { id: '1', a: '1', b: '2' }), [
    '"b" is made of two columns; rename or compute another attribute',
  ])
  assert.deepEqual(neededColumns({ rename }), ['id', 'preis', 'constructor'])
})

test('a faulty expression is a fault of the definition, with its line', () => {
  const faults: [string, RegExp][] = [
    [
      'x: y\n      y: x',
      /:5: \/sources\/0\/compute\/x is computed from itself.*\n.*:6: \/sources\/0\/compute\/y is/,
    ],
    ['x: x + 1', /is computed from itself\. A column of the same name is hidden by it$/],
    ['x: y\n      y: y\n      z: a', /:5: .*\n.*:6: /],
    ['x: a +', /At character 4: expected a property or a value, found the end$/],
    ['x: a b', /At character 3: expected an operator, or the end, found b$/],
    ['x: constructor()', /there is no constructor of 0 values; functions are if, concat/],
    ['x: if(a)', /if takes 2 or 3 values, and not 1$/],
    ['x: POINT(1 2)', /shapes and DATE have no meaning here; a date is a text in quotes$/],
    ['x: a + 9007199254740993', /expected a number of fewer digits/],
    [`x: ${'('.repeat(99)}`, /no more than 64 brackets/],
    [`x: "${'- '.repeat(99)}a"`, /no more than 64 brackets/],
    [`x: ${'a+'.repeat(600)}a`, /must NOT have more than 1000 characters/],
    ['x: [a]', /must be a string/],
  ]
  for (const [compute, message] of faults) {
    const text = `sources:\n  - file: a.csv\n    type: a:a\n    compute:\n      ${compute}\n`
    assert.throws(
      () => definitionFromText(text, 'world.yaml'),
      (error) => error instanceof DefinitionFault && message.test(error.message),
      compute.slice(0, 40),
    )
  }
})
