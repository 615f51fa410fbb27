/** Decisions 1: the members of the discovery document. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import { demand, expectError, isCount } from '../http/expect.ts'
import { isObject, type JsonObject } from '../shapes/json.ts'
import { faultsAgainst } from './json-schema.ts'
import { MOST_TYPES, readPage } from './pages.ts'
import { entity, entityRoute, type, types } from './subjects.ts'
import type { Target } from './target.ts'

function entries(document: JsonObject, member: string): JsonObject[] {
  const value = document[member]
  return Array.isArray(value) ? value.filter(isObject) : []
}

const MEMBERS = ['world', 'limits', 'authentication', 'extensions']

/** In the order of the rules they stand on. */
export const documentChecks = [
  defineCheck<Target>(
    'D1-25.a',
    'world, limits, authentication and extensions are objects, revision is a string',
    async (target) => {
      const { document, exchange } = await target.document()
      for (const name of MEMBERS) demand(isObject(document[name]), `${name} is not an object`, exchange)
      const { revision } = document
      demand(typeof revision === 'string' && revision !== '', 'revision is not a string', exchange)
    },
  ),
  defineCheck<Target>('D1-25.b', 'limits are whole numbers, no default above its maximum', async (target) => {
    const { document, exchange } = await target.document()
    const limits = isObject(document['limits']) ? document['limits'] : {}
    for (const name of ['list', 'discover']) {
      const pair = isObject(limits[name]) ? limits[name] : {}
      const { default: usual, max } = pair
      demand(isCount(usual) && isCount(max), `limits.${name} is not default and max`, exchange)
      demand(usual <= max, `limits.${name}: the default is above the maximum`, exchange)
    }
    for (const name of ['maxRequestBytes', 'maxTextLength', 'maxTypes']) {
      demand(isCount(limits[name]), `limits.${name} is not a whole number`, exchange)
    }
  }),
  defineCheck<Target>('D1-26.a', 'world.id is an absolute URI', async (target) => {
    const { document, exchange } = await target.document()
    const id = isObject(document['world']) ? document['world']['id'] : undefined
    const absolute = typeof id === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(id)
    demand(absolute, `world.id is ${JSON.stringify(id)}`, exchange)
  }),
  defineCheck<Target>('D1-32.a', 'entityTypes is sorted by type and names each type once', async (target) => {
    const { document, exchange } = await target.document()
    const names = entries(document, 'entityTypes').map((entry) => String(entry['type']))
    for (const [index, name] of names.entries()) {
      const before = names[index - 1]
      demand(before === undefined || before < name, `${name} comes after ${before}`, exchange)
    }
  }),
  defineCheck<Target>('D1-33.a', 'schema of a type is a JSON Schema, draft 2020-12', async (target) => {
    const { document, exchange } = await target.document()
    const schemas = entries(document, 'entityTypes')
      .map((entry) => entry['schema'])
      .filter((schema) => schema !== undefined)
    if (schemas.length === 0) throw new NotApplicable('no type states a schema')
    for (const schema of schemas) {
      demand(isObject(schema) || typeof schema === 'boolean', 'a schema is no object', exchange)
      const draft = isObject(schema) ? (schema['$schema'] ?? DRAFT) : DRAFT
      demand(draft === DRAFT, `a schema is of another draft: ${draft}`, exchange)
    }
  }),
  defineCheck<Target>('D1-33.b', 'the attributes of an entity fit the schema of its type', async (target) => {
    const { document } = await target.document()
    const name = await type(target)
    const schema = entries(document, 'entityTypes').find((entry) => entry['type'] === name)?.['schema']
    if (schema === undefined) throw new NotApplicable(`the type ${name} states no schema`)
    const exchange = await entity(target)
    const body = exchange.json
    const faults = faultsAgainst(schema, isObject(body) ? body['attributes'] : undefined, 'attributes')
    demand(faults.length === 0, faults.join('; '), exchange)
  }),
  defineCheck<Target>(
    'D1-34.a',
    'inputSchema of wp:discover lets ordinary input through, outputSchema the output it gives',
    async (target) => {
      const { document, exchange } = await target.document()
      const action = entries(document, 'actions').find((entry) => entry['name'] === 'wp:discover')
      const { inputSchema, outputSchema } = action ?? {}
      demand(
        isObject(inputSchema) && isObject(outputSchema),
        'a schema of wp:discover is no object',
        exchange,
      )
      const input = { types: [await type(target)], text: 'a', limit: 1 }
      const refused = faultsAgainst(inputSchema, input, 'input')
      demand(refused.length === 0, refused.join('; '), exchange)
      const answer = await target.discover({ input })
      const output = isObject(answer.json) ? answer.json['output'] : undefined
      const faults = faultsAgainst(outputSchema, output, 'output')
      demand(faults.length === 0, faults.join('; '), answer)
    },
  ),
  defineCheck<Target>('D1-35.a', 'every type in the discovery document has a list', async (target) => {
    // A world with thousands of types is believed after the first ones.
    for (const name of (await types(target)).slice(0, MOST_TYPES)) await readPage(target, name, '?limit=1')
  }),
  defineCheck<Target>(
    'D1-36.a',
    'an entity of a type that the document does not list is 404',
    async (target) => {
      const exchange = await target.call(entityRoute('conformance:no-such-type', 'any'))
      expectError(exchange, 404, 'unknown_type', 'type')
    },
  ),
  defineCheck<Target>(
    'D1-37.a',
    'entityTypes, actions and authentication.schemes are arrays',
    async (target) => {
      const { document, exchange } = await target.document()
      demand(Array.isArray(document['entityTypes']), 'entityTypes is not an array', exchange)
      demand(Array.isArray(document['actions']), 'actions is not an array', exchange)
      const access = document['authentication']
      demand(isObject(access) && Array.isArray(access['schemes']), 'schemes is not an array', exchange)
    },
    ['D1-25'],
  ),
  defineCheck<Target>(
    'D1-38.a',
    'the document read twice has the same revision exactly if the rest is the same',
    async (target) => {
      const { document, exchange } = await target.document()
      const again = await target.atOrigin('/.well-known/world.json')
      const second = isObject(again.json) ? again.json : {}
      const rest = (whole: JsonObject) => JSON.stringify({ ...whole, revision: '' })
      const same = document['revision'] === second['revision']
      const equal = rest(document) === rest(second)
      demand(same === equal, same ? 'changed under one revision' : 'another revision', exchange, again)
    },
  ),
  defineCheck<Target>(
    'D1-39.a',
    'the keys of extensions have the form prefix:name, its values are objects',
    async (target) => {
      const { document, exchange } = await target.document()
      const extensions = isObject(document['extensions']) ? document['extensions'] : {}
      if (Object.keys(extensions).length === 0) throw new NotApplicable('the world declares no extension')
      for (const [key, value] of Object.entries(extensions)) {
        demand(/^[a-z][a-z0-9.-]*:[A-Za-z][A-Za-z0-9._-]*$/.test(key), `the key ${key}`, exchange)
        demand(isObject(value), `the value of ${key} is not an object`, exchange)
      }
    },
  ),
]

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
