/** Level 1 checks: the discovery document. */
import { advise, demand, expectObject, expectStatus } from '../http/expect.ts'
import { at, isObject, isScalar, type JsonObject, sameJson, written } from '../json/json.ts'
import { findIdentifier, type Identifier, isType, namesDiscover } from '../shapes/document.ts'
import { pathOf } from '../shapes/names.ts'
import { list, typeList, unrecognised } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Returns the parts of the document that must not change between requests, each with its name. */
async function core(target: Target, document: JsonObject): Promise<readonly (readonly [string, unknown])[]> {
  return [
    ['protocol', document['protocol']],
    ['endpoints.api', at(document, ['endpoints', 'api'])],
    ['the identifier', identifier(target, document)?.value],
    ['the types', typeList(target, document)?.types],
    ['wp:discover', namesDiscover(actionsIn(target, document))],
  ]
}

/** Returns the part of a document that may list actions: the member that the caller named, or else most of the document. */
function actionsIn(target: Target, document: JsonObject): unknown {
  const given = pathOf(target.options.names?.actions)
  const { protocol: _protocol, endpoints: _endpoints, ...rest } = document
  return given === undefined ? rest : at(document, given)
}

/** Returns the identifier of the world, at the path that the caller named or else the most likely one. */
export function identifier(target: Target, document: JsonObject): Identifier | undefined {
  const given = pathOf(target.options.names?.worldId)
  if (given !== undefined) return { path: given, value: at(document, given), sure: true }
  return findIdentifier(document, typeList(target, document)?.path)
}

/** The checks in this file, ordered by rule. */
export const levelOneDiscoveryChecks = [
  check(
    'L1-routes-1.a',
    'GET /.well-known/world.json on the origin answers 200 with a JSON object',
    async (target) => {
      const exchange = await target.discovery()
      expectStatus(exchange, 200)
      expectObject(exchange)
      advise(exchange.origin === target.origin, `it redirects to ${exchange.origin}`, exchange)
    },
  ),
  check('L1-discovery-1.a', 'the discovery document has a string member protocol', async (target) => {
    const { document, exchange } = await target.document()
    demand(typeof document['protocol'] === 'string', 'protocol is not a string', exchange)
  }).also('L1-versioning-1'),
  check('L1-discovery-2.a', 'protocol is world/0.1', async (target) => {
    const { document, exchange } = await target.document()
    const protocol = document['protocol']
    demand(protocol === 'world/0.1', `protocol is ${JSON.stringify(protocol)}`, exchange)
  }),
  check('L1-discovery-3.a', 'endpoints.api is a string with an absolute URL', async (target) => {
    const { document, exchange } = await target.document()
    const endpoints = document['endpoints']
    const api = at(endpoints, ['api'])
    demand(typeof api === 'string', 'endpoints.api is not a string', exchange)
    const absolute = /^https?:\/\/[^/\s]\S*$/i.test(api) && URL.canParse(api)
    demand(absolute, `endpoints.api is not an absolute http or https URL: ${api}`, exchange)
  }).also('L1-versioning-2'),
  check('L1-discovery-4.a', 'the API answers at the URL in endpoints.api', async (target) => {
    const asked = await target.discover({ input: {} })
    demand(asked.status !== 0, `nothing answers at endpoints.api: ${asked.trouble}`, asked)
    const speaks = asked.json !== undefined || (await list(target)).json !== undefined
    demand(speaks, 'what answers at endpoints.api does not speak JSON', asked)
  }),
  check(
    'L1-discovery-6.a',
    'the discovery document holds an identifier of the world, beside types and actions',
    async (target) => {
      const { document, exchange } = await target.document()
      const found = identifier(target, document)
      demand(found !== undefined, 'no member beside types and actions can be one', exchange)
      const shown = `${written(found.path)} is ${JSON.stringify(found.value)}`
      if (!found.sure) throw unrecognised(document, 'the identifier of the world', 'worldId')
      demand(isScalar(found.value), shown, exchange)
    },
  ),
  check(
    'L1-discovery-6.b',
    'asked again, the document has the same identifier, types and endpoint',
    async (target) => {
      const { document, exchange } = await target.document()
      const again = await target.discoverAgain()
      const second = expectObject(again)
      const other = await core(target, second)
      for (const [index, [name, value]] of (await core(target, document)).entries()) {
        const found = other[index]?.[1]
        const shown = `first ${JSON.stringify(value)}, then ${JSON.stringify(found)}`
        demand(sameJson(value, found), `${name}: ${shown}`, exchange, again)
      }
    },
  ),
  check('L1-discovery-7.a', 'the discovery document names the entity types of the world', async (target) => {
    const { document, exchange } = await target.document()
    const own = target.options.type
    const list = typeList(target, document)
    if (list === undefined) {
      const holds = Object.entries(document).some(
        ([name, value]) =>
          !/^(protocol|endpoints)$/.test(name) && hasArray(value) && !namesDiscover({ [name]: value }),
      )
      demand(holds, 'no member of the document can be the list of types', exchange)
      throw unrecognised(document, 'the list of types', 'entityTypes')
    }
    const right = own === undefined || list.types.includes(own)
    demand(right, `${written(list.path)} does not name ${own}`, exchange)
  }).also('L1-service-7'),
  check('L1-discovery-8.a', 'the discovery document names the action wp:discover', async (target) => {
    const { document, exchange } = await target.document()
    demand(namesDiscover(actionsIn(target, document)), 'the document does not name wp:discover', exchange)
  }).also('L1-service-7'),
  check(
    'L1-entity-2.a',
    'every entity type in the discovery document has the form prefix:name',
    async (target) => {
      const { document, exchange } = await target.document()
      const list = typeList(target, document)
      if (list === undefined) throw unrecognised(document, 'the list of types', 'entityTypes')
      for (const name of list.types)
        demand(isType(name), `no type in the form prefix:name: ${JSON.stringify(name)}`, exchange)
    },
  ),
]

function hasArray(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) && Object.values(value).some(hasArray)
}
