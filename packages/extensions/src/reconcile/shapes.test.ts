/** Response shapes of version 0.2 of the specification, transcribed from its text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { services } from './services.fixture.ts'

type Check = (value: unknown, at: string) => void

const text: Check = (value, at) => assert.ok(typeof value === 'string' && value !== '', `${at} is a text`)
const url: Check = (value, at) => assert.ok(URL.canParse(String(value)), `${at} is a URI`)
const template: Check = (value, at) => assert.match(String(value), /^https?:\/\/.*\{\{id\}\}/, at)
const integer: Check = (value, at) => assert.ok(Number.isInteger(value), `${at} is an integer`)
const number: Check = (value, at) => assert.ok(typeof value === 'number', `${at} is a number`)
const boolean: Check = (value, at) => assert.ok(typeof value === 'boolean', `${at} is true or false`)

function list(item: Check): Check {
  return (value, at) => {
    assert.ok(Array.isArray(value), `${at} is a list`)
    for (const [index, one] of value.entries()) item(one, `${at}/${index}`)
  }
}

function mapOf(item: Check): Check {
  return (value, at) => {
    assert.ok(value !== null && typeof value === 'object' && !Array.isArray(value), `${at} is an object`)
    for (const [name, one] of Object.entries(value)) item(one, `${at}/${name}`)
  }
}

/** Returns a check for an object with exactly these members. Members with a question mark are optional. */
function object(members: Readonly<Record<string, Check>>): Check {
  return (value, at) => {
    mapOf(() => {})(value, at)
    const given = value as Record<string, unknown>
    for (const name of Object.keys(given))
      assert.ok(name in members || `${name}?` in members, `${at}/${name} is no member`)
    for (const [name, check] of Object.entries(members)) {
      const own = name.replace('?', '')
      if (own in given) check(given[own], `${at}/${own}`)
      else assert.ok(name.endsWith('?'), `${at}/${own} is missing`)
    }
  }
}

/** Returns a check for exactly one of several object shapes. */
function oneOf(...shapes: readonly Readonly<Record<string, Check>>[]): Check {
  return (value, at) => {
    const names = Object.keys(value as object)
    const shape = shapes.find((one) => names.every((name) => name in one || `${name}?` in one))
    assert.ok(shape, `${at} is one of the cells`)
    object(shape)(value, at)
  }
}

const named = { id: text, name: text, 'description?': text }
const location = object({ service_url: url, service_path: text })

const MANIFEST = object({
  versions: (value, at) => {
    list(text)(value, at)
    assert.ok((value as unknown[]).includes('0.2'), at)
  },
  name: text,
  identifierSpace: url,
  schemaSpace: url,
  'defaultTypes?': list(object(named)),
  'batchSize?': integer,
  'view?': object({ url: template }),
  'preview?': object({ url: template, width: integer, height: integer }),
  'suggest?': object({ 'entity?': location, 'property?': location, 'type?': location }),
  'extend?': object({ 'propose_properties?': location, 'property_settings?': list(object({})) }),
})
const CANDIDATE = object({
  ...named,
  score: number,
  'match?': boolean,
  'type?': list(object({ id: text, 'name?': text })),
})
const RESULTS = mapOf(object({ result: list(CANDIDATE) }))
const SUGGESTIONS = object({ result: list(object(named)) })
const PROPOSAL = object({ properties: list(object(named)), 'type?': text, 'limit?': number })
const CELL = oneOf({}, named, { str: text }, { float: number }, { int: integer })
const EXTENSION = object({
  meta: list(object({ id: text, name: text, 'type?': object({ id: text, 'name?': text }), 'service?': url })),
  rows: mapOf(mapOf(list(CELL))),
})

test('every response matches the specification', async () => {
  const { get, post } = await services()
  const answers: readonly (readonly [Check, Response])[] = [
    [MANIFEST, await get('sol:moon')],
    [MANIFEST, await get('sol:planet')],
    [
      RESULTS,
      await post('sol:moon', { queries: { q0: { query: 'Phobos' }, q1: { query: 'nobody at all' } } }),
    ],
    [SUGGESTIONS, await get('sol:moon/suggest/entity?prefix=ti')],
    [SUGGESTIONS, await get('sol:moon/suggest/property?prefix=')],
    [SUGGESTIONS, await get('sol:moon/suggest/type?prefix=')],
    [PROPOSAL, await get('sol:moon/properties?type=sol:moon&limit=3')],
    [
      EXTENSION,
      await post('sol:moon', {
        extend: {
          ids: ['titan', 'rhea', 'x'],
          properties: ['near', 'orbits', 'icy', 'craters'].map((id) => ({ id })),
        },
      }),
    ],
  ]
  for (const [check, response] of answers) {
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    check(await response.json(), '')
  }
})

test('a response with a wrong shape is detected', () => {
  assert.throws(() =>
    MANIFEST({ versions: ['0.1'], name: 'x', identifierSpace: 'a:b', schemaSpace: 'a:b' }, ''),
  )
  assert.throws(() => RESULTS({ q: { result: [{ id: 'x', name: 'X' }] } }, ''), /score is missing/)
  assert.throws(() => RESULTS([], ''))
  assert.throws(
    () => EXTENSION({ meta: [], rows: { x: { y: [{ str: 'a', int: 1 }] } } }, ''),
    /one of the cells/,
  )
})
