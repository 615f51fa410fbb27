import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../protocol.ts'
import { Cql2SyntaxError, cql2Text, parseCql2, parseProperty, parseSort } from './cql2.ts'

const p = (property: string | string[]) => ({ property })
const call = (op: string, ...args: JsonValue[]): JsonObject => ({ op, args })

const READ: readonly (readonly [text: string, condition: JsonObject])[] = [
  [
    'massEarths > 1 AND distancePc < 10',
    call('and', call('>', p('massEarths'), 1), call('<', p('distancePc'), 10)),
  ],
  ["name LIKE 'Kep%'", call('like', p('name'), 'Kep%')],
  ["name NOT LIKE 'Kep%'", call('not', call('like', p('name'), 'Kep%'))],
  [
    "found between DATE('1990-01-01') and TIMESTAMP('1991-01-01T00:00:00Z')",
    call('between', p('found'), { date: '1990-01-01' }, { timestamp: '1991-01-01T00:00:00Z' }),
  ],
  ["orbits = entity('sol:planet', 'saturn')", call('=', p('orbits'), call('entity', 'sol:planet', 'saturn'))],
  ["REFERSTO(Entity('a:b', 'c'))", call('refersTo', call('entity', 'a:b', 'c'))],
  ['year NOT IN (1610, -5, 1.5e3)', call('not', call('in', p('year'), [1610, -5, 1500]))],
  ['year IS NOT NULL', call('not', call('isNull', p('year')))],
  ['NOT year IS NULL', call('not', call('isNull', p('year')))],
  [
    'a = 1 OR b = TRUE AND c = false',
    call('or', call('=', p('a'), 1), call('and', call('=', p('b'), true), call('=', p('c'), false))),
  ],
  [
    '(a = 1 or b = 1) and c = 1',
    call('and', call('or', call('=', p('a'), 1), call('=', p('b'), 1)), call('=', p('c'), 1)),
  ],
  [
    'S_INTERSECTS(place, BBOX(-10, -5, 10.5, 5))',
    call('s_intersects', p('place'), { bbox: [-10, -5, 10.5, 5] }),
  ],
  [
    'distance(place, POINT(2.35 48.86)) <= 1000',
    call('<=', call('distance', p('place'), { type: 'Point', coordinates: [2.35, 48.86] }), 1000),
  ],
  ["A_CONTAINS(tags, ('a', 'b'))", call('a_contains', p('tags'), ['a', 'b'])],
  ['a_containedby(tags, ())', call('a_containedBy', p('tags'), [])],
  ['orbit.days > 1', call('>', p('orbit.days'), 1)],
  ['"semi-major axis" > 1', call('>', p('semi-major axis'), 1)],
  ['orbit."a.b" > 1', call('>', p(['orbit', 'a.b']), 1)],
  ['"not" = 1', call('=', p('not'), 1)],
  ['eo:cloud_cover < 0.1', call('<', p('eo:cloud_cover'), 0.1)],
  ["CASEI(name) = casei('X')", call('=', call('casei', p('name')), call('casei', 'X'))],
  ["name = 'It''s'", call('=', p('name'), "It's")],
  ["name = 'It\\'s'", call('=', p('name'), "It's")],
  ["name LIKE '100\\%%'", call('like', p('name'), '100\\%%')],
  ["name = 'a\\\\'", call('=', p('name'), 'a\\')],
  ['5 < mass', call('<', 5, p('mass'))],
  ['длина > 1', call('>', p('длина'), 1)],
]

for (const [text, condition] of READ) {
  test(`parses ${text}`, () => {
    assert.deepEqual(parseCql2(text), condition)
    assert.deepEqual(parseCql2(cql2Text(condition)), condition)
  })
}

const WRONG: readonly (readonly [text: string, position: number, says: RegExp])[] = [
  ['', 0, /At the beginning: expected a property or a value, found the end/],
  ['mass >', 6, /At character 7: expected a value, found the end/],
  ['mass > AND x = 1', 7, /expected .*found AND/],
  ['mass 5', 5, /expected an operator such as/],
  ['mass', 4, /expected an operator/],
  ["name = 'Io", 7, /no end/],
  ['"name = 1', 0, /no end/],
  ['a = 1 b = 2', 6, /expected AND or OR, or the end, found b/],
  ['(a = 1', 6, /closing bracket/],
  ['a NOT = 1', 6, /LIKE, IN or BETWEEN/],
  ['a > b + 1', 6, /no arithmetic/],
  ['a - 1 > 0', 2, /no arithmetic/],
  ['S_WITHIN(a, POLYGON((0 0, 1 1)))', 12, /no other shape/],
  ['T_DURING(a, INTERVAL(b, c))', 12, /no other shape/],
  ['a = 1e999', 4, /not so large/],
  ['a == 1', 3, /expected a value, found =/],
  ['a = ;', 4, /sign ; has no meaning/],
  ['a = "b', 4, /quote " is missing/],
  ['DATE(5) = a', 5, /a text in quotes/],
  ['a IN 5', 5, /a list in brackets/],
  [`${'('.repeat(65)}a = 1${')'.repeat(65)}`, 64, /64 brackets/],
]

for (const [text, position, says] of WRONG) {
  test(`reports the syntax error in ${text.slice(0, 40)}`, () => {
    assert.throws(
      () => parseCql2(text),
      (error) => {
        assert.ok(error instanceof Cql2SyntaxError)
        assert.match(error.message, says)
        return error.position === position || assert.fail(`at ${error.position}`)
      },
    )
  })
}

test('parseSort parses sort orders and parseProperty parses property names', () => {
  assert.deepEqual(parseSort('-mass, title'), ['-mass', 'title'])
  assert.deepEqual(parseSort('relevance'), ['relevance'])
  assert.deepEqual(parseSort('-"a.b"'), [{ property: ['a.b'], descending: true }])
  assert.deepEqual(parseSort('-distance(place, POINT(1 2))'), [
    { op: 'distance', args: [p('place'), { type: 'Point', coordinates: [1, 2] }], descending: true },
  ])
  assert.throws(() => parseSort('mass title'), /expected a comma, or the end, found title/)
  assert.deepEqual(parseProperty('orbit."a.b"'), ['orbit', 'a.b'])
  assert.throws(() => parseProperty('and'), /name of a property/)
})

const NAME = fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => name.isWellFormed())
const PROPERTY = fc
  .array(NAME, { minLength: 1, maxLength: 3 })
  .map((names) => p(names.some((name) => name.includes('.')) ? names : names.join('.')))
const TEXT = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom("'", '\\', '%', 'a') }),
)
const NUMBER = fc.double({ noDefaultInfinity: true, noNaN: true })
const VALUE: fc.Arbitrary<JsonValue> = fc.oneof(
  TEXT,
  NUMBER,
  fc.boolean(),
  TEXT.map((date) => ({ date })),
  TEXT.map((timestamp) => ({ timestamp })),
  fc.tuple(TEXT, TEXT).map(([type, id]) => call('entity', type, id)),
  fc.tuple(NUMBER, NUMBER).map((coordinates) => ({ type: 'Point', coordinates })),
)
const PREDICATE: fc.Arbitrary<JsonValue> = fc.oneof(
  fc
    .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), PROPERTY, VALUE)
    .map(([op, ...args]) => call(op, ...args)),
  fc.tuple(PROPERTY, VALUE, VALUE).map((args) => call('between', ...args)),
  fc.tuple(PROPERTY, fc.array(VALUE)).map((args) => call('in', ...args)),
  fc.tuple(PROPERTY, TEXT).map((args) => call('like', ...args)),
  PROPERTY.map((property) => call('isNull', property)),
  fc
    .tuple(PROPERTY, fc.array(NUMBER, { minLength: 1 }))
    .map(([left, bbox]) => call('s_intersects', left, { bbox })),
)
const { condition: CONDITION } = fc.letrec<{ condition: JsonValue }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    PREDICATE,
    tie('condition').map((one) => call('not', one)),
    fc
      .tuple(fc.constantFrom('and', 'or'), fc.array(tie('condition'), { minLength: 2, maxLength: 4 }))
      .map(([op, args]) => call(op, ...args)),
  ),
}))

test('a condition survives conversion to text and back', () => {
  fc.assert(
    fc.property(CONDITION, (condition) => {
      const again = parseCql2(cql2Text(condition as JsonObject))
      // Compared as JSON, because -0 and 0 are equal there.
      assert.equal(JSON.stringify(again), JSON.stringify(condition))
    }),
    { numRuns: 500 },
  )
})

test('any text either parses or fails with a syntax error', () => {
  const words = fc.constantFrom(
    'a',
    'AND',
    'NOT',
    '(',
    ')',
    ',',
    '=',
    "'",
    '"',
    '1',
    '-',
    'IN',
    'DATE',
    '\\',
    '.',
    ' ',
    '\ud800',
  )
  fc.assert(
    fc.property(
      fc.array(words).map((parts) => parts.join(' ')),
      (text) => {
        try {
          parseCql2(text)
        } catch (error) {
          assert.ok(error instanceof Cql2SyntaxError, String(error))
          assert.ok(error.position <= text.length)
        }
      },
    ),
    { numRuns: 500 },
  )
})
