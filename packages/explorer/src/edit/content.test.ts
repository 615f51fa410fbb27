import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entity, JsonObject } from '@worldwright/client'
import { parseExact } from '@worldwright/client/exact'
import { fieldsFor, patchFor, versionOf } from './content.ts'

const TEXT =
  '{"type":"a:b","id":"1","title":"T","revision":"r1","attributes":{"big":9007199254740993,"one":1.0,"o":{"x":1e400,"y":2}}}'

/** Returns the content of the entity with one member of its attributes replaced. */
function edited(content: JsonObject, change: object): JsonObject {
  return { ...content, attributes: { ...Object(content['attributes']), ...change } }
}

test('a version has the numbers as the world wrote them, and a patch sends only those that changed', () => {
  // The page parses with doubles where they hold the number, so that 1.0 is 1 there.
  const version = versionOf(parseExact(TEXT, () => true) as Entity)
  assert.ok(version)
  assert.equal(version.revision, 'r1')
  const { content } = version
  assert.equal(
    JSON.stringify(content),
    '{"title":"T","attributes":{"big":9007199254740993,"one":1.0,"o":{"x":1e400,"y":2}}}',
  )
  assert.deepEqual(patchFor(content, edited(content, {})), {})
  assert.equal(
    JSON.stringify(patchFor(content, edited(content, { big: parseExact('9007199254740995') }))),
    '{"attributes":{"big":9007199254740995}}',
  )
  assert.equal(
    JSON.stringify(patchFor(content, edited(content, { o: { y: 3 }, one: [1] }))),
    '{"attributes":{"one":[1],"o":{"x":null,"y":3}}}',
  )
  const { title: _, ...untitled } = content
  assert.deepEqual(patchFor(content, untitled), { title: null })
  assert.deepEqual(patchFor(untitled, content), { title: 'T' })
})

test('a change to a null or to an object with one is beyond a patch', () => {
  const content = { attributes: { a: 1, b: { c: 2 }, n: null, d: [null] } }
  for (const change of [{ a: null }, { a: { x: null } }, { b: { c: null } }, { a: [{ x: null }] }])
    assert.equal(patchFor(content, edited(content, change)), undefined, JSON.stringify(change))
  assert.deepEqual(patchFor(content, edited(content, { a: 2 })), { attributes: { a: 2 } })
  assert.deepEqual(patchFor(content, { attributes: { a: 1, b: { c: 2 } } }), {
    attributes: { n: null, d: null },
  })
})

test('an attribute with the label of a member of the entity itself says that it is an attribute', () => {
  const schema = { properties: { title: { type: 'string' }, name: { title: 'Summary' }, code: {} } }
  assert.deepEqual(
    fieldsFor(schema, { attributes: {} }, true).map(({ label }) => label),
    ['Id', 'Title', 'Summary', 'Attributes: Title', 'Attributes: Summary', 'Code'],
  )
})

test('an entity without a revision cannot be edited, and attributes without names are JSON', () => {
  assert.equal(versionOf({ type: 'a:b', id: '1', attributes: {} } as Entity), undefined)
  const controls = (schema: unknown, attributes: JsonObject) =>
    fieldsFor(schema, { attributes }, false).map(({ key, control }) => `${key} ${control}`)
  assert.deepEqual(controls(undefined, {}), ['title text', 'summary lines', 'attributes json'])
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a${n}`, n]))
  assert.equal(controls(undefined, many).length, 3)
  assert.deepEqual(controls({ properties: { n: { type: 'number' } } }, { x: 1 }).slice(2), [
    'attributes/n number',
    'attributes/x json',
  ])
})
