/** Level 1: entities, lists and the discovery action. */
import { defineCheck, NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { demand, expectJson, isObject } from '../http/expect.ts'
import { entitiesIn, entity, entityRoute, id, list, listRoute, type } from './subjects.ts'
import type { Target } from './target.ts'
import { component } from './target.ts'

/** Fails if a recognised list of entities is longer than asked for. Other shapes are not judged. */
function atMost(target: Target, exchange: Exchange, most: number): void {
  if (target.options.entitiesField === undefined) return
  const entities = entitiesIn(target, exchange.json) ?? []
  demand(entities.length <= most, `${entities.length} entities where ${most} were wanted`, exchange)
}

/** The entity, its id named or found. A found id may not be the address: then nothing can be asked. */
async function knownEntity(target: Target): Promise<Exchange> {
  const { id: own, named } = await id(target)
  const exchange = await entity(target)
  if (!named && exchange.status === 404)
    throw new NotApplicable(`the id ${own} from the list is not an address here: name one with --id`)
  return exchange
}

/** In the order of the rules they stand on. */
export const levelOneReadingChecks = [
  defineCheck<Target>(
    'L1-routes-2.a',
    'GET entities/{type}, the colon as %3A, answers a list in JSON',
    async (target) => {
      expectJson(await list(target))
    },
    ['L1-service-2', 'L1-entity-3', 'L1-entity-1'],
  ),
  defineCheck<Target>(
    'L1-routes-2.b',
    'the list has an array in the member named with --entities-field',
    async (target) => {
      const field = target.options.entitiesField
      if (field === undefined) throw new NotApplicable('--entities-field is not given')
      const exchange = await list(target)
      const body = expectJson(exchange)
      const found = isObject(body) && Array.isArray(body[field])
      demand(found, `the list has no array ${field}`, exchange)
    },
    ['L1-service-1'],
  ),
  defineCheck<Target>(
    'L1-routes-3.a',
    'GET entities/{type}/{id} answers one entity in JSON',
    async (target) => {
      const body = expectJson(await knownEntity(target))
      demand(isObject(body), 'the answer is not a JSON object', await entity(target))
    },
    ['L1-service-1', 'L1-service-2', 'L1-entity-4', 'L1-entity-1'],
  ),
  defineCheck<Target>(
    'L1-endpoints-2.a',
    'an id is percent-decoded: escaping a letter of it needlessly addresses the same entity',
    async (target) => {
      const plain = await knownEntity(target)
      expectJson(plain)
      const own = (await id(target)).id
      const first = Buffer.from(String.fromCodePoint(own.codePointAt(0) ?? 0))
      const escaped = [...first]
        .map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`)
        .join('')
      const rest = component(own.slice(String.fromCodePoint(own.codePointAt(0) ?? 0).length))
      const exchange = await target.call(`${listRoute(await type(target))}/${escaped}${rest}`)
      expectJson(exchange)
    },
    ['L1-entity-4'],
  ),
  defineCheck<Target>(
    'L1-endpoints-2.b',
    'an id fills exactly one path component: with another component behind it there is no entity',
    async (target) => {
      expectJson(await knownEntity(target))
      const route = entityRoute(await type(target), (await id(target)).id)
      const exchange = await target.call(`${route}/conformance`)
      demand(exchange.status >= 300, 'a longer path is answered like the entity', exchange)
    },
  ),
  defineCheck<Target>(
    'L1-endpoints-5.a',
    'the list accepts limit=1, and gives at most one entity',
    async (target) => {
      const exchange = await target.call(listRoute(await type(target), '?limit=1'))
      expectJson(exchange)
      atMost(target, exchange, 1)
    },
    ['L1-routes-6'],
  ),
  defineCheck<Target>('L1-endpoints-5.b', 'the list accepts limit=0', async (target) => {
    expectJson(await target.call(listRoute(await type(target), '?limit=0')))
  }),
  defineCheck<Target>(
    'L1-routes-6.a',
    'the list accepts its own cursor, percent-encoded, and goes on',
    async (target) => {
      const field = target.options.cursorField
      if (field === undefined) throw new NotApplicable('--cursor-field is not given')
      const first = await target.call(listRoute(await type(target), '?limit=1'))
      const body = expectJson(first)
      const cursor = isObject(body) ? body[field] : undefined
      if (cursor === undefined || cursor === null)
        throw new NotApplicable(`the first page of one entity has no ${field}`)
      demand(typeof cursor === 'string', `${field} is not a string`, first)
      const query = `?limit=1&cursor=${encodeURIComponent(cursor)}`
      const next = await target.call(listRoute(await type(target), query))
      expectJson(next)
      demand(!next.body.equals(first.body), 'the cursor leads to the same page again', first, next)
    },
  ),
  defineCheck<Target>(
    'L1-routes-4.a',
    'POST actions/wp%3Adiscover with an empty input answers JSON',
    async (target) => {
      expectJson(await target.discover({ input: {} }))
    },
    ['L1-service-3', 'L1-endpoints-3', 'L1-discover-1', 'L1-discover-6', 'L1-routes-7'],
  ),
  defineCheck<Target>(
    'L1-discover-2.a',
    'the discovery action accepts input.types, an array of types',
    async (target) => {
      expectJson(await target.discover({ input: { types: [await type(target)] } }))
    },
    ['L1-discover-6'],
  ),
  defineCheck<Target>(
    'L1-discover-3.a',
    'the discovery action accepts input.text, free text',
    async (target) => {
      expectJson(await target.discover({ input: { text: 'what is here?' } }))
    },
    ['L1-discover-6'],
  ),
  defineCheck<Target>(
    'L1-discover-4.a',
    'the discovery action accepts input.limit, and gives no more results than it says',
    async (target) => {
      const exchange = await target.discover({ input: { limit: 1 } })
      expectJson(exchange)
      atMost(target, exchange, 1)
    },
    ['L1-discover-6'],
  ),
]
