import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import fc from 'fast-check'
import { askedWorld } from './asked-world.fixture.ts'

const { ask, send } = await askedWorld()

/** Values that a hostile client might send. */
const STRANGE: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    -0,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    '',
    '\ud800',
    '\u0000',
    '__proto__',
    '%',
    '\\',
    'constructor',
    '9999-12-31T23:59:59Z',
    'x'.repeat(2_000),
    [],
    {},
    [[[[[]]]]],
    { date: '9999-12-31' },
    { date: '0000-01-01' },
    { date: '1990-02-30' },
    { timestamp: '0000-01-01T00:00:00-23:59' },
    { timestamp: '9999-12-31T23:59:59.999999999+00:00' },
    { type: 'sol:planet', id: 'saturn' },
    { type: 'sol:planet', id: '\u0000' },
    { op: 'entity', args: [] },
    { bbox: [180, 90, -180, 90] },
    { bbox: [null, 'x', {}, []] },
    { type: 'Point', coordinates: [180, -90] },
    { type: 'Point', coordinates: [1e308, 0] },
    { property: 'mass' },
    { property: ['__proto__', 'toString'] },
    { property: Array(1_000).fill('a') },
  ),
  fc.jsonValue() as fc.Arbitrary<JsonValue>,
)

const PROPERTY: fc.Arbitrary<JsonValue> = fc.oneof(
  fc
    .constantFrom(
      'mass',
      'year',
      'orbits',
      'tags',
      'seen',
      'rings',
      'type',
      'id',
      'title',
      'createdAt',
      'attributes',
    )
    .map((property) => ({ property })),
  STRANGE,
)
const OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'between',
  'in',
  'like',
  'isNull',
  'a_contains',
  's_intersects',
  'refersTo',
  'distance',
  'casei',
  'toString',
  '__proto__',
]
const { condition: CONDITION } = fc.letrec<{ condition: JsonValue }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 5 },
    fc
      .tuple(
        fc.constantFrom(...OPERATORS),
        PROPERTY,
        fc.array(fc.oneof(STRANGE, fc.array(STRANGE)), { maxLength: 3 }),
      )
      .map(([op, property, others]): JsonValue => ({ op, args: [property, ...others] })),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not'), fc.array(tie('condition'), { maxLength: 4 }))
      .map(([op, args]): JsonValue => ({ op, args })),
    STRANGE,
  ),
}))

const LIST = (item: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> =>
  fc.oneof(fc.array(item, { maxLength: 5 }), STRANGE)
const NAME = fc.oneof(
  fc.constantFrom<JsonValue>('mass', '-mass', 'orbits', 'relevance', 'seen', 'tags'),
  STRANGE,
)
const INPUT = fc.record(
  {
    types: LIST(fc.oneof(fc.constantFrom<JsonValue>('sol:moon', 'sol:planet', 'sol:none'), STRANGE)),
    text: fc.oneof(fc.constantFrom<JsonValue>('moon', 'x y z'), STRANGE),
    where: CONDITION,
    sort: LIST(
      fc.oneof(
        NAME,
        fc.record({ property: NAME, descending: STRANGE }),
        fc.record({ op: fc.constantFrom('distance', 'sample'), args: STRANGE }),
      ),
    ),
    fields: LIST(NAME),
    include: LIST(NAME),
    facets: LIST(
      fc.oneof(
        NAME,
        fc.record({ property: NAME, limit: STRANGE }),
        fc.record({ property: NAME, histogram: STRANGE }),
        fc.record({ property: NAME, ranges: LIST(fc.record({ from: STRANGE, to: STRANGE })) }),
        fc.record({ referrers: STRANGE }),
      ),
    ),
    limit: fc.oneof(fc.constantFrom<JsonValue>(0, 1, 200), STRANGE),
    cursor: STRANGE,
    other: STRANGE,
  },
  { requiredKeys: [] },
)

test('any query succeeds or is refused with its faults', async () => {
  await fc.assert(
    fc.asyncProperty(INPUT, async (input) => {
      const { status, output } = await ask(input as JsonObject)
      assert.ok(status === 200 || status === 400 || status === 413, JSON.stringify([status, output]))
      if (output.code === 'invalid_input') {
        const { fields } = output.details
        assert.ok(fields.length > 0 && fields.length <= 20)
        for (const { pointer, reason, message } of fields)
          assert.ok(pointer?.startsWith('/input') && reason && message)
      }
    }),
    { numRuns: 400 },
  )
})

test('every query member either accepts or refuses an arbitrary value', async () => {
  const seen = new Set<number>()
  for (const name of ['types', 'text', 'where', 'sort', 'fields', 'include', 'facets', 'limit', 'cursor']) {
    await fc.assert(
      fc.asyncProperty(name === 'where' ? CONDITION : LIST(STRANGE), async (value) => {
        const { status } = await ask({ [name]: value })
        assert.ok(status === 200 || status === 400, `${name} ${status}`)
        seen.add(status)
      }),
      { numRuns: 60 },
    )
  }
  assert.deepEqual([...seen].toSorted(), [200, 400])
})

test('the largest allowed query meets its time budget, and larger ones are refused', async () => {
  const tag = { property: 'tags' }
  const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
  const conditions = Array.from({ length: 32 }, (_, index) => ({
    op: index % 2 ? 'a_contains' : 'in',
    args: [tag, many(100)],
  }))
  const facets = Array.from({ length: 16 }, () => ({ property: 'tags', limit: 1_000 }))
  const begun = performance.now()
  const { status } = await ask({
    where: { op: 'or', args: conditions },
    facets,
    sort: ['-mass', 'year', 'title', 'id'],
  })
  assert.equal(status, 200)
  assert.ok(performance.now() - begun < 2_000)
  assert.equal((await ask({ where: { op: 'in', args: [tag, many(257)] } })).status, 400)
  assert.equal((await ask({ facets: [...facets, 'tags'] })).status, 400)
  assert.equal((await ask({ sort: ['id', 'id', 'id', 'id', 'id'] })).status, 400)
  assert.equal((await ask({ where: { op: 'in', args: [tag, ['x'.repeat(70_000)]] } })).status, 413)
})

test('query and discover refuse a limit that is not a number', async () => {
  const limit = [{ toString: false }]
  for (const name of ['worldwright%3Aquery', 'wp%3Adiscover'])
    assert.equal((await send('POST', `/api/world/v0/actions/${name}`, { input: { limit } })).status, 400)
})

test('extremely deep nesting is refused', async () => {
  const deep = `${'['.repeat(25_000)}${']'.repeat(25_000)}`
  const nots = `${'{"op":"not","args":['.repeat(1_500)}1${']}'.repeat(1_500)}`
  const places = ['types', 'text', 'where', 'sort', 'fields', 'include', 'facets', 'limit', 'cursor', 'x']
  const inputs = [
    ...places.flatMap((name) => [`{"${name}":${deep}}`, `{"${name}":[${deep}]}`]),
    ...['op', 'args', 'property', 'date', 'type', 'bbox'].flatMap((name) => [
      `{"where":{"op":"=","args":[{"property":"mass"},{"${name}":${deep}}]}}`,
      `{"where":{"op":"=","args":[{"${name}":${deep}},1]}}`,
      `{"where":{"op":"s_intersects","args":[{"property":"mass"},{"${name}":${deep}}]}}`,
    ]),
    `{"where":${nots}}`,
  ]
  for (const input of inputs) {
    const { status } = await send(
      'POST',
      '/api/world/v0/actions/worldwright%3Aquery',
      Buffer.from(`{"input":${input}}`),
    )
    assert.equal(status, 400, input.slice(0, 80))
  }
})

test('a forged cursor is refused', async () => {
  const { output } = await ask({ types: ['sol:moon'], sort: ['mass'], limit: 1 })
  const real = Buffer.from(String(output.nextCursor), 'base64url')
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: real.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      async (at, change) => {
        const changed = Buffer.from(real)
        changed[at] = (changed[at] ?? 0) ^ change
        const { status, output } = await ask({
          types: ['sol:moon'],
          sort: ['mass'],
          cursor: changed.toString('base64url'),
        })
        assert.deepEqual([status, output.code], [400, 'invalid_cursor'])
      },
    ),
    { numRuns: 60 },
  )
})
