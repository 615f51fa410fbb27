import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from './http.ts'
import { createRouter, splitTarget } from './router.ts'

const none = { methods: {} }
const list: Route = { path: '/api/entities/{type}', ...none }
const entity: Route = { path: '/api/entities/{type}/{id}', ...none }
const router = createRouter([list, entity])

test('a target is split into its raw path and raw query', () => {
  assert.deepEqual(splitTarget('/a%2Fb?x=%3F&y'), { path: '/a%2Fb', query: 'x=%3F&y' })
  assert.deepEqual(splitTarget('http://h:1/a?b'), { path: '/a', query: 'b' })
  assert.deepEqual(splitTarget('http://h'), { path: '/', query: '' })
  assert.deepEqual(splitTarget('/a?b#c?d'), { path: '/a', query: 'b' })
})

test('a target with raw spaces, control or non-ASCII characters is refused', () => {
  for (const target of ['/\u0000', '/a b', '/\u00e9', '/\u007f']) {
    assert.throws(() => splitTarget(target), { code: 'invalid_request' })
  }
})

test('each component is decoded exactly once', () => {
  assert.deepEqual(router('/api/entities/sol%3Amoon/a%252Fb')?.params, { type: 'sol:moon', id: 'a%2Fb' })
  assert.deepEqual(router('/api/entities/sol:moon/a%2Fb')?.params, { type: 'sol:moon', id: 'a/b' })
  assert.deepEqual(router('/api/entities/sol%3amoon')?.params, { type: 'sol:moon' })
})

test('an empty component matches no route', () => {
  for (const path of ['/api/entities/', '/api/entities/sol:moon/', '/api/entities//europa', '//entities/x']) {
    assert.equal(router(path), undefined, path)
  }
})

test('dot segments are ordinary components and reach no other route', () => {
  assert.equal(router('/api/entities/../entities/x'), undefined)
  assert.deepEqual(router('/api/entities/../x')?.params, { type: '..', id: 'x' })
})

test('malformed percent-escapes are refused', () => {
  for (const bad of ['%', '%z1', '%e2%28', '%ff', '%ed%a0%80']) {
    assert.throws(() => router(`/api/entities/sol:moon/${bad}`), { code: 'invalid_request' }, bad)
  }
})

test('a literal component takes precedence over a named one, in any table order', () => {
  const literal: Route = { path: '/api/entities/special', ...none }
  assert.equal(createRouter([list, literal])('/api/entities/special')?.route, literal)
})
