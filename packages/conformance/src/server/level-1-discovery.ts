import { advise, demand, expectObject, expectStatus } from '../http/expect.ts'
import { at, isObject, isScalar, type JsonObject, membersOf, sameJson, stringsIn } from '../json/json.ts'
import { descriptionOf, listedTypes } from './profile.ts'
import { isType, list, unrecognised } from './subjects.ts'
import { check, type Target } from './target.ts'

/** Returns the parts of the document that must not change between requests, each with its name. */
async function core(target: Target, document: JsonObject): Promise<readonly (readonly [string, unknown])[]> {
  return [
    ['protocol', document['protocol']],
    ['endpoints.api', at(document, ['endpoints', 'api'])],
    ['the identifier', identifier(target, document)?.value],
    ['the types', listedTypes(target, document)],
    ['wp:discover', namesDiscover(target, document)],
  ]
}

/** Reports whether a document names the action `wp:discover`: in a list of actions, or in a text such as its route. */
function namesDiscover(target: Target, document: JsonObject): boolean {
  const { protocol: _protocol, endpoints: _endpoints, ...rest } = document
  const isDiscover = (text: string) => /wp(?::|%3A)discover/i.test(text)
  const isNamed = target.options.names?.actions === undefined && stringsIn(rest).some(isDiscover)
  return isNamed || descriptionOf(target, document).actions !== undefined
}

/** Names of members that describe a world without identifying it. */
const DESCRIPTIVE =
  /^(protocol|endpoints|operations|limits?|authentication|extensions|links?)$|title|descri|summary|label|version|revision|licen[cs]e|contact|language|locale|updated|created|generated|date|time|doc|help|terms|powered|software|generator|home|site|schema|icon|logo|limit|max|default|count|total/i

/** Returns the most likely identifier of the world. `sure`: its name or its form confirms that it is one. */
function identifier(target: Target, document: JsonObject): { value: unknown; sure: boolean } | undefined {
  const { id, entityTypes, actions } = descriptionOf(target, document)
  if (id !== undefined) return { value: id.value, sure: true }
  const used = [entityTypes, actions].map((one) => one?.path.split('.')[0])
  const left = membersOf(document).filter(
    ({ path, value }) =>
      isScalar(value) && !used.includes(path[0]) && !path.some((name) => DESCRIPTIVE.test(name)),
  )
  const formed = left.find(({ value }) =>
    /^[a-z][a-z0-9+.-]*:\S+$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(`${value}`),
  )
  const [first = formed] = left
  return first && { value: (formed ?? first).value, sure: formed !== undefined }
}

/** Level 1 checks: the discovery document. Ordered by rule. */
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
      if (!found.sure) throw unrecognised(document, 'the identifier of the world', 'world')
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
    const list = descriptionOf(target, document).entityTypes
    if (list === undefined) {
      const holds = Object.entries(document).some(
        ([name, value]) =>
          !/^(protocol|endpoints)$/.test(name) &&
          hasArray(value) &&
          !namesDiscover(target, { [name]: value }),
      )
      demand(holds, 'no member of the document can be the list of types', exchange)
      throw unrecognised(document, 'the list of types', 'types')
    }
    const right = own === undefined || listedTypes(target, document).includes(own)
    demand(right, `${list.path} does not name ${own}`, exchange)
  }).also('L1-service-7'),
  check('L1-discovery-8.a', 'the discovery document names the action wp:discover', async (target) => {
    const { document, exchange } = await target.document()
    demand(namesDiscover(target, document), 'the document does not name wp:discover', exchange)
  }).also('L1-service-7'),
  check(
    'L1-entity-2.a',
    'every entity type in the discovery document has the form prefix:name',
    async (target) => {
      const { document, exchange } = await target.document()
      const { entityTypes, unread = [] } = descriptionOf(target, document)
      if (entityTypes === undefined) throw unrecognised(document, 'the list of types', 'types')
      for (const name of [...unread, ...listedTypes(target, document)])
        demand(isType(name), `no type in the form prefix:name: ${JSON.stringify(name)}`, exchange)
    },
  ),
]

function hasArray(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) && Object.values(value).some(hasArray)
}
