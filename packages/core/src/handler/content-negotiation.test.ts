import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsJson, contentCoding } from './content-negotiation.ts'

test('JSON is acceptable unless Accept excludes it', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/*;q=0.1',
    'text/html, application/json',
    'text/html,*/*;q=0.1',
  ]) {
    assert.equal(acceptsJson(accept), true, String(accept))
  }
  for (const accept of [
    'text/html',
    'application/json;q=0',
    '*/*, application/json; q=0',
    'application/xml',
  ]) {
    assert.equal(acceptsJson(accept), false, accept)
  }
})

test('the coding with the highest weight is selected, unless identity weighs more', () => {
  const offered = ['br', 'zstd', 'gzip'] as const
  assert.equal(contentCoding(undefined, offered), undefined)
  assert.equal(contentCoding('gzip', offered), 'gzip')
  assert.equal(contentCoding('gzip, br', offered), 'br')
  assert.equal(contentCoding('gzip;q=1, br;q=0.5', offered), 'gzip')
  assert.equal(contentCoding('*', offered), 'br')
  assert.equal(contentCoding('*;q=0.5, br;q=0', offered), 'zstd')
  assert.equal(contentCoding('identity, gzip;q=0.5', offered), undefined)
  assert.equal(contentCoding('identity, gzip', offered), 'gzip')
  assert.equal(contentCoding('deflate', offered), undefined)
})
