/** Data that the reference world of the tests publishes. */
import { createHash } from 'node:crypto'

/** An entity of the reference world. */
export interface ReferenceEntity {
  readonly type: string
  readonly id: string
  readonly title?: string
  readonly summary?: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly createdAt?: string
  readonly revision?: string
}

/** Returns an entity of flat content with sorted keys, so that its plain text is the canonical one. */
function entity(
  type: string,
  id: string,
  title: string,
  attributes: Record<string, unknown>,
): ReferenceEntity {
  const canonical = JSON.stringify({ attributes, id, title, type })
  const revision = createHash('sha256').update(canonical).digest().subarray(0, 16).toString('base64url')
  return { type, id, title, attributes, createdAt: '2026-03-01T09:00:00Z', revision }
}

const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heath',
  'inlet',
  'jade',
  'knoll',
]

/** Returns eleven trees, three rivers, and no clouds. */
export function referenceEntities(): ReferenceEntity[] {
  const trees = WORDS.map((word, index) =>
    entity('ref:tree', `${word}-${index}`, `The ${word} tree`, {
      // One tree has no height, and some have the same.
      ...(index !== 4 && { height: index % 5 }),
      near: { id: index === 10 ? 'dried up' : 'caf\u00e9', type: 'ref:river' },
      note: `${word} `.repeat(30),
      place: { latitude: index, longitude: 2 * index },
      tags: [word, index % 2 === 0 ? 'even' : '100%_odd'],
    }),
  )
  const rivers = [
    entity('ref:river', '\uffee', 'The last river below U+FFFF', { length: 3 }),
    entity('ref:river', '\u{1f30a}', 'The river above U+FFFF', { length: 2 }),
    entity('ref:river', 'caf\u00e9', 'The composed river', { length: 1 }),
  ]
  return [...trees, ...rivers].sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
}

/** Returns the discovery document without members that depend on the address. */
export function referenceDocument(api: string): Record<string, unknown> {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      height: { type: 'integer' },
      length: { type: 'integer' },
      near: { type: 'object', properties: { type: { type: 'string' }, id: { type: 'string' } } },
      note: { type: 'string' },
      place: { type: 'object' },
      tags: { type: 'array', items: { type: 'string' } },
    },
  }
  const types = ['ref:cloud', 'ref:river', 'ref:tree']
  return {
    protocol: 'world/0.1',
    world: { id: 'urn:example:reference', name: 'Reference' },
    endpoints: { api },
    entityTypes: types.map((type) => ({ type, title: type, schema })),
    actions: [
      {
        name: 'wp:discover',
        safe: true,
        inputSchema: {
          type: 'object',
          properties: {
            text: { type: 'string' },
            limit: { type: 'integer' },
            cursor: { type: 'string' },
            matchedIn: { type: 'boolean' },
          },
        },
        outputSchema: { type: 'object', required: ['entities', 'total'] },
      },
      {
        name: 'worldwright:query',
        safe: true,
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
      },
    ],
    limits: {
      list: { default: 5, max: 10 },
      discover: { default: 4, max: 8 },
      maxRequestBytes: 4096,
      maxTextLength: 64,
      maxTypes: 8,
    },
    authentication: { required: false, schemes: [] },
    extensions: { 'worldwright:query': queryExtension(types) },
    revision: 'r1',
  }
}

/** Properties of the trees and rivers that can be queried, with the kinds of their values. */
const ASKABLE = [
  { property: 'height', kinds: ['number'] },
  { property: 'length', kinds: ['number'] },
  { property: 'near', kinds: ['reference'] },
  { property: 'note', kinds: ['text'] },
  { property: 'place', kinds: ['place'] },
  { property: 'tags', kinds: ['text'], list: true },
]

/** Returns the declarations of the reference world about queries. */
function queryExtension(types: readonly string[]): Record<string, unknown> {
  return {
    action: 'worldwright:query',
    operators: [...'and or not = <> < <= > >= between in like isNull a_contains refersTo'.split(' ')],
    functions: ['distance', 'entity'],
    limits: { conditions: 8, depth: 3, groups: 100, groupKeys: 2, measures: 8 },
    properties: [
      ...['type', 'id', 'title'].map((property) => ({ property, kinds: ['text'] })),
      { property: 'createdAt', kinds: ['instant'] },
    ],
    types: Object.fromEntries(types.map((type) => [type, ASKABLE])),
  }
}
