import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listParameters } from './query.ts'

function fieldsOf(query: string): unknown {
  try {
    listParameters(query)
  } catch (error) {
    const fault = error as { code: string; details: { fields: unknown } }
    assert.equal(fault.code, 'invalid_parameter')
    return fault.details.fields
  }
  return undefined
}

test('limit and cursor are parsed, and other parameters are ignored', () => {
  assert.deepEqual(listParameters('a=%zz&limit=007&%zz&cursor=abc&x=1&x=2'), { limit: 7, cursor: 'abc' })
  assert.deepEqual(listParameters(''), { limit: undefined, cursor: undefined })
  assert.deepEqual(listParameters('l%69mit=%35'), { limit: 5, cursor: undefined })
  assert.deepEqual(listParameters('limit=0&cursor'), { limit: 0, cursor: '' })
  assert.deepEqual(listParameters('limit=010&cursor=a+b'), { limit: 10, cursor: 'a+b' })
})

test('a limit that is not all digits is refused', () => {
  for (const value of ['1.5', '1e3', '0x10', '+5', '%205', '', 'abc', '5%20', '٣', '-', '-1.5', '--1']) {
    assert.deepEqual(
      fieldsOf(`limit=${value}`),
      [{ in: 'query', name: 'limit', reason: 'not_integer' }],
      value,
    )
  }
  assert.deepEqual(fieldsOf('limit=-1'), [{ in: 'query', name: 'limit', reason: 'too_small' }])
  assert.deepEqual(fieldsOf('limit=%zz'), [{ in: 'query', name: 'limit', reason: 'malformed' }])
})

test('repeated parameters are refused, and every fault is listed', () => {
  assert.deepEqual(fieldsOf('limit=1&limit=1&cursor=a&cursor=b'), [
    { in: 'query', name: 'limit', reason: 'repeated' },
    { in: 'query', name: 'cursor', reason: 'repeated' },
  ])
})
