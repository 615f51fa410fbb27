/** Level 1: the discovery document. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import { demand, expectJson, expectObject, expectStatus, isObject } from '../http/expect.ts'
import { list, listedTypes } from './subjects.ts'
import type { Target } from './target.ts'

/** Every string in a JSON value, keys of objects included. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) => [key, ...strings(member)])
}

/** In the order of the rules they stand on. */
export const levelOneDiscoveryChecks = [
  defineCheck<Target>(
    'L1-routes-1.a',
    'GET /.well-known/world.json on the origin answers 200 with a JSON object',
    async (target) => {
      const exchange = await target.discovery()
      expectStatus(exchange, 200)
      expectObject(exchange)
    },
  ),
  defineCheck<Target>(
    'L1-discovery-1.a',
    'the discovery document has a string member protocol',
    async (target) => {
      const { document, exchange } = await target.document()
      demand(typeof document['protocol'] === 'string', 'protocol is not a string', exchange)
    },
    ['L1-versioning-1'],
  ),
  defineCheck<Target>('L1-discovery-2.a', 'protocol is world/0.1', async (target) => {
    const { document, exchange } = await target.document()
    const protocol = document['protocol']
    demand(protocol === 'world/0.1', `protocol is ${JSON.stringify(protocol)}`, exchange)
  }),
  defineCheck<Target>(
    'L1-discovery-3.a',
    'endpoints.api is a string with an absolute URL',
    async (target) => {
      const { document, exchange } = await target.document()
      const endpoints = document['endpoints']
      const api = isObject(endpoints) ? endpoints['api'] : undefined
      demand(typeof api === 'string', 'endpoints.api is not a string', exchange)
      const absolute = /^https?:\/\/[^/]/i.test(api) && URL.canParse(api)
      demand(absolute, `endpoints.api is not an absolute http or https URL: ${api}`, exchange)
    },
    ['L1-versioning-2'],
  ),
  defineCheck<Target>('L1-discovery-4.a', 'the API answers at the URL in endpoints.api', async (target) => {
    const asked = await target.discover({ input: {} })
    demand(asked.status !== 0, `nothing answers at endpoints.api: ${asked.trouble}`, asked)
    demand(asked.json !== undefined, 'what answers at endpoints.api does not speak JSON', asked)
  }),
  defineCheck<Target>(
    'L1-discovery-6.a',
    'the discovery document holds an identifier of the world',
    async (target) => {
      const { document, exchange } = await target.document()
      const { protocol: _protocol, endpoints: _endpoints, ...rest } = document
      // The name of the member is open: that there is no further string at all is all that can be called wrong.
      const values = strings(Object.values(rest)).filter((text) => text !== '')
      demand(values.length > 0, 'beside protocol and endpoints the document holds no string', exchange)
    },
  ),
  defineCheck<Target>(
    'L1-discovery-7.a',
    'the discovery document names the entity types of the world',
    async (target) => {
      const { document, exchange } = await target.document()
      const own = target.options.type
      if (own === undefined && listedTypes(document).length === 0)
        throw new NotApplicable('no list of types was recognised: name a type with --type')
      const named = strings(document)
      const some =
        own === undefined ? named.some((text) => /^[^:/]+:[^:/]+$/.test(text)) : named.includes(own)
      demand(some, `the document does not name ${own ?? 'any type'}`, exchange)
    },
    ['L1-service-7'],
  ),
  defineCheck<Target>(
    'L1-discovery-8.a',
    'the discovery document names the action wp:discover',
    async (target) => {
      const { document, exchange } = await target.document()
      const some = strings(document).some((text) => /wp(?::|%3A)discover/i.test(text))
      demand(some, 'the document does not name wp:discover', exchange)
    },
    ['L1-service-7'],
  ),
  defineCheck<Target>(
    'L1-entity-2.a',
    'every entity type in the discovery document has the form prefix:name',
    async (target) => {
      const { document, exchange } = await target.document()
      const listed = listedTypes(document)
      if (listed.length === 0) throw new NotApplicable('no list of types was recognised in the document')
      for (const type of listed) {
        const formed = typeof type === 'string' && /^[^:]+:[^:]+$/.test(type)
        demand(formed, `no type in the form prefix:name: ${JSON.stringify(type)}`, exchange)
      }
    },
  ),
  defineCheck<Target>(
    'L1-endpoints-6.a',
    'discovery, list and action answer in JSON when asked with Accept: application/json',
    async (target) => {
      expectJson(await target.discovery())
      expectJson(await target.discover({ input: {} }))
      expectJson(await list(target))
    },
  ),
]
