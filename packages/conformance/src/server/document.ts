import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectError, expectOrder, isCount } from '../http/expect.ts'
import { at, isObject, type JsonObject, objectIn, objectsIn } from '../json/json.ts'
import { faultsAgainst } from './json-schema.ts'
import { MOST_TYPES, readPage } from './pages.ts'
import { entity, entityRoute, type, types } from './subjects.ts'
import { check } from './target.ts'

/** Fails unless a value conforms to a schema. */
function expectFits(exchange: Exchange, schema: unknown, value: unknown, at: string): void {
  const faults = faultsAgainst(schema, value, at)
  demand(faults.length === 0, faults.join('; '), exchange)
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const MEMBERS = ['world', 'limits', 'authentication', 'extensions']

/** Checks for section 1 of the decisions: the members of the discovery document. Ordered by rule. */
export const documentChecks = [
  check(
    'D1-25.a',
    'world, limits, authentication and extensions are objects, revision is a string',
    async (target) => {
      const { document, exchange } = await target.document()
      for (const name of MEMBERS) demand(isObject(document[name]), `${name} is not an object`, exchange)
      const { revision } = document
      demand(typeof revision === 'string' && revision !== '', 'revision is not a string', exchange)
    },
  ),
  check('D1-25.b', 'limits are whole numbers, no default above its maximum', async (target) => {
    const { document, exchange } = await target.document()
    const limits = objectIn(document['limits'])
    for (const name of ['list', 'discover']) {
      const { default: usual, max } = objectIn(limits[name])
      demand(isCount(usual) && isCount(max), `limits.${name} is not default and max`, exchange)
      demand(usual <= max, `limits.${name}: the default is above the maximum`, exchange)
    }
    for (const name of ['maxRequestBytes', 'maxTextLength', 'maxTypes']) {
      demand(isCount(limits[name]), `limits.${name} is not a whole number`, exchange)
    }
  }),
  check('D1-26.a', 'world.id is an absolute URI', async (target) => {
    const { document, exchange } = await target.document()
    const id = at(document, ['world', 'id'])
    const absolute = typeof id === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(id)
    demand(absolute, `world.id is ${JSON.stringify(id)}`, exchange)
  }),
  check('D1-32.a', 'entityTypes is sorted by type and names each type once', async (target) => {
    const { document, exchange } = await target.document()
    const names = objectsIn(document['entityTypes']).map((entry) => String(entry['type']))
    expectOrder(exchange, names, (one, other) => (one < other ? -1 : 1))
  }),
  check('D1-33.a', 'schema of a type is a JSON Schema, draft 2020-12', async (target) => {
    const { document, exchange } = await target.document()
    const stating = objectsIn(document['entityTypes']).filter(({ schema }) => schema !== undefined)
    if (stating.length === 0) throw new NotApplicable('no type states a schema')
    for (const { schema } of stating) {
      demand(isObject(schema) || typeof schema === 'boolean', 'a schema is no object', exchange)
      const draft = objectIn(schema)['$schema'] ?? DRAFT
      demand(draft === DRAFT, `a schema is of another draft: ${draft}`, exchange)
    }
  }),
  check('D1-33.b', 'the attributes of an entity fit the schema of its type', async (target) => {
    const { document } = await target.document()
    const name = await type(target)
    const { schema } = objectsIn(document['entityTypes']).find((entry) => entry['type'] === name) ?? {}
    if (schema === undefined) throw new NotApplicable(`the type ${name} states no schema`)
    const exchange = await entity(target)
    expectFits(exchange, schema, exchange.member('attributes'), 'attributes')
  }),
  check(
    'D1-34.a',
    'inputSchema of wp:discover lets ordinary input through, outputSchema the output it gives',
    async (target) => {
      const { document, exchange } = await target.document()
      const action = objectsIn(document['actions']).find((entry) => entry['name'] === 'wp:discover')
      const { inputSchema, outputSchema } = action ?? {}
      const given = isObject(inputSchema) && isObject(outputSchema)
      demand(given, 'a schema of wp:discover is no object', exchange)
      const input = { types: [await type(target)], text: 'a', limit: 1 }
      expectFits(exchange, inputSchema, input, 'input')
      const answer = await target.discover({ input })
      expectFits(answer, outputSchema, answer.member('output'), 'output')
    },
  ),
  check('D1-35.a', 'every type in the discovery document has a list', async (target) => {
    // A world may have thousands of types, so check only the first few.
    for (const name of (await types(target)).slice(0, MOST_TYPES)) await readPage(target, name, '?limit=1')
  }),
  check('D1-36.a', 'an entity of a type that the document does not list is 404', async (target) => {
    const exchange = await target.call(entityRoute('conformance:no-such-type', 'any'))
    expectError(exchange, 404, 'unknown_type', 'type')
  }),
  check('D1-37.a', 'entityTypes, actions and authentication.schemes are arrays', async (target) => {
    const { document, exchange } = await target.document()
    for (const path of [['entityTypes'], ['actions'], ['authentication', 'schemes']])
      demand(Array.isArray(at(document, path)), `${path.at(-1)} is not an array`, exchange)
  }).also('D1-25'),
  check(
    'D1-38.a',
    'the document read twice has the same revision exactly if the rest is the same',
    async (target) => {
      const { document, exchange } = await target.document()
      const again = await target.atOrigin('/.well-known/world.json')
      const second = objectIn(again.json)
      const rest = (whole: JsonObject) => JSON.stringify({ ...whole, revision: '' })
      const same = document['revision'] === second['revision']
      const equal = rest(document) === rest(second)
      demand(same === equal, same ? 'changed under one revision' : 'another revision', exchange, again)
    },
  ),
  check(
    'D1-39.a',
    'the keys of extensions have the form prefix:name, its values are objects',
    async (target) => {
      const { document, exchange } = await target.document()
      const extensions = objectIn(document['extensions'])
      if (Object.keys(extensions).length === 0) throw new NotApplicable('the world declares no extension')
      for (const [key, value] of Object.entries(extensions)) {
        demand(/^[a-z][a-z0-9.-]*:[A-Za-z][A-Za-z0-9._-]*$/.test(key), `the key ${key}`, exchange)
        demand(isObject(value), `the value of ${key} is not an object`, exchange)
      }
    },
  ),
]
