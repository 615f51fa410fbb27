import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cql2Text } from '@worldwright/client/cql2'
import type { JsonObject, JsonValue } from '@worldwright/client/protocol'
import { askedWorld } from './asked-world.fixture.ts'
import { call, faultsOf, p, read, refusal, SATURN } from './conditions.fixture.ts'

const ACCEPTED: readonly JsonObject[] = [
  call('>', p('mass'), 1),
  call('and', call('like', p('name'), 'Io%'), call('not', call('isNull', p('kind')))),
  call(
    'or',
    call('in', p('kind'), ['regular']),
    call('between', p('found'), { date: '1990-01-01' }, { date: '1991-01-01' }),
  ),
  call('refersTo', call('entity', SATURN.type, SATURN.id)),
  call('<', call('distance', p('place'), { type: 'Point', coordinates: [10, 20] }), 1000),
  call('s_intersects', p('place'), { bbox: [170, -10, -170, 10] }),
  call('=', p(['odd.name']), "it's"),
]

for (const where of ACCEPTED)
  test(`reads ${cql2Text(where)} as its JSON form`, () => {
    assert.deepEqual(read(cql2Text(where)), read(where))
  })

const REFUSED: readonly (readonly [text: string, reason: string, says: string])[] = [
  ['', 'malformed', 'at character 1: expected a property or a value, found the end'],
  ['mass > 1 AND', 'malformed', 'at character 13: expected a property or a value, found the end'],
  ["name = 'Io", 'malformed', "at character 8: A text begins here and has no end: a quote ' is missing"],
  ['mass > 1 AND nothing = 1', 'not_allowed', 'at character 14: nothing is not a queryable property'],
  ["mass > 1 OR NOT (count = 'x')", 'wrong_type', 'at character 18: '],
  ['s_crosses(place, POINT(1 2))', 'not_allowed', 'at character 1: the operator "s_crosses" is not one'],
  ['mass > 1 AND kind = casei(name)', 'not_allowed', 'at character 21: '],
  [
    Array(33).fill('mass > 1').join(' AND '),
    'too_many',
    'at character 1: a question has 32 conditions at most',
  ],
  [`${'NOT ('.repeat(9)}mass > 1${')'.repeat(9)}`, 'too_many', 'conditions lie in each other 8 deep at most'],
  ['('.repeat(65), 'malformed', 'at character 65: expected no more than 64 brackets in each other'],
  [`mass > 1${' '.repeat(8185)}`, 'too_long', 'a condition has 8192 characters at most'],
]

for (const [text, reason, says] of REFUSED)
  test(`refuses ${text.slice(0, 40)} and says where it is wrong`, () => {
    const [fault] = faultsOf(refusal(text))
    assert.deepEqual([fault?.pointer, fault?.reason], ['/input/where', reason])
    assert.ok(fault?.message?.includes(says), fault?.message)
  })

test('a hostile text of the greatest length is refused within half a second', () => {
  for (const part of ["'", '\\', '"', '(', 'NOT ', 'a.', "'\\\\'", 'mass IN (1,', '-'])
    for (const text of [part.repeat(8192).slice(0, 8192), `a = '${part.repeat(8192)}`.slice(0, 8192)]) {
      const began = performance.now()
      refusal(text)
      assert.ok(performance.now() - began < 500, `${part} took ${performance.now() - began} ms`)
    }
})

test('every route that takes a condition takes it as text', async () => {
  const { ask, send } = await askedWorld()
  const where = "orbits = entity('sol:planet', 'jupiter') AND mass > 0.01"
  const json = call(
    'and',
    call('=', p('orbits'), { type: 'sol:planet', id: 'jupiter' }),
    call('>', p('mass'), 0.01),
  )
  const asked = { types: ['sol:moon'], facets: ['year'], group: ['orbits'] }
  const answered = (condition: JsonValue) => ask({ ...asked, where: condition })
  assert.deepEqual(await answered(where), await answered(json))
  assert.equal((await answered(where)).output['total'], 2)
  const { status, output } = await ask({ ...asked, where: 'mass > x' })
  assert.deepEqual([status, output.code], [400, 'invalid_input'])
  const { actions, extensions } = (await send('GET', '/.well-known/world.json')).json
  const { inputSchema } = actions.find(({ name }: { name: string }) => name === 'worldwright:query')
  assert.deepEqual(inputSchema.properties.where.type, ['object', 'string', 'null'])
  assert.equal(extensions['worldwright:query'].limits.whereLength, inputSchema.properties.where.maxLength)
})
