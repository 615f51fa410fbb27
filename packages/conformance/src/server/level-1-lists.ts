/** Level 1 checks: single pages of a type's list. */
import { NotApplicable, NotAsked } from '../check/check.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { at, isObject, isScalar, sameJson } from '../json/json.ts'
import { isType } from '../shapes/document.ts'
import { unwrapped } from '../shapes/entities.ts'
import { keyOf, listing, listings, readListing, seenPages, typePath } from './reading.ts'
import {
  entriesIn,
  list,
  listRoute,
  listWith,
  plainList,
  type,
  typeList,
  types,
  unrecognised,
} from './subjects.ts'
import { check, otherCase, type Target } from './target.ts'

/** Maximum number of types whose lists are requested. */
const MOST_TYPES = 10

/** Requests the list with a limit of `most`. Fails if it returns more entities. */
async function expectAtMost(target: Target, most: number): Promise<void> {
  await listing(target)
  const { entries, exchange } = await readListing(target, await type(target), `?limit=${most}`)
  demand(entries.length <= most, `${entries.length} entities where ${most} were wanted`, exchange)
}

/** Fails if two types have identical non-empty lists, since a list must depend on its type. */
async function expectDifferent(target: Target): Promise<void> {
  const filled = (await listings(target)).filter(({ entries }) => entries.length > 0)
  for (const [index, { type: name, entries, exchange }] of filled.entries()) {
    const twin = filled.slice(0, index).find((other) => sameJson(other.entries, entries))
    demand(twin === undefined, `${name} and ${twin?.type} have the same list`, exchange)
  }
}

/** Changes that make another type of one. */
const NEAR_TYPES: readonly ((type: string) => string)[] = [
  (type) => type.replace(/[^:]*/, 'conformance'),
  (type) => type.replace(/:.*/, ':no-such-type'),
  otherCase,
  (type) => `${type} `,
]

/** Fails if the list of a type that is not there has entities, or is neither a list nor refused. */
async function expectNone(target: Target, name: string): Promise<void> {
  const exchange = await target.call(listRoute(name))
  if (exchange.status !== 200) return
  const entries = entriesIn(target, exchange.json)
  demand(entries !== undefined || exchange.json === undefined, 'a success without a list', exchange)
  demand((entries ?? []).length === 0, `it has ${entries?.length}`, exchange)
}

/** The checks in this file, ordered by rule. */
export const levelOneListChecks = [
  check('L1-routes-2.a', 'GET entities/{type}, the colon as %3A, answers a list in JSON', async (target) => {
    expectJson(await list(target))
  }).also('L1-service-2', 'L1-entity-3', 'L1-entity-1'),
  check('L1-discovery-7.b', 'every type that the document names has a list', async (target) => {
    const { document } = await target.document()
    const list = typeList(target, document)
    if (list === undefined) throw unrecognised(document, 'the list of types', 'entityTypes')
    const named = list.types.filter(isType)
    if (named.length === 0) throw new NotApplicable('the document names no type')
    await plainList(target, await type(target)).then(expectJson)
    for (const name of named.slice(0, MOST_TYPES)) expectJson(await plainList(target, name))
  }).also('L1-service-7'),
  check('L1-routes-2.b', 'the list has an array of entities', async (target) => {
    const exchange = await list(target)
    const body = expectJson(exchange)
    demand(typeof body === 'object' && body !== null, `the list is ${JSON.stringify(body)}`, exchange)
    await readListing(target, await type(target))
  }).also('L1-service-1'),
  check('L1-routes-2.c', 'a list holds entities of its own type alone', async (target) => {
    await listing(target)
    const path = await typePath(target)
    if (path === undefined) {
      await expectDifferent(target)
      throw new NotApplicable('the entities of this world do not name their type')
    }
    for (const { type: name, entries, exchange } of await seenPages(target))
      for (const entry of entries) {
        const found = at(unwrapped(entry), path)
        const other = found !== undefined && found !== name
        demand(!other, `the list of ${name} holds an entity of ${JSON.stringify(found)}`, exchange)
      }
  }).also('L1-entity-1', 'L1-service-1'),
  check('L1-routes-2.d', 'every entry of a list is an entity, none is null', async (target) => {
    await listing(target)
    for (const { entries, exchange } of await seenPages(target))
      for (const entry of entries) {
        const some = isObject(entry) || isScalar(entry) || (Array.isArray(entry) && entry.length > 0)
        demand(some, `the list holds ${JSON.stringify(entry)}`, exchange)
      }
  }),
  check('L1-routes-2.e', 'a list names no entity twice', async (target) => {
    await listing(target)
    for (const { entries, exchange } of await seenPages(target)) {
      const seen = new Set<string>()
      for (const entry of entries) {
        const key = await keyOf(target, entry)
        demand(!seen.has(key), `the list holds ${key} twice`, exchange)
        seen.add(key)
      }
    }
  }),
  check('L1-routes-2.f', 'the list of a type that is not there has no entities', async (target) => {
    await listing(target)
    await expectNone(target, 'conformance:no-such-type')
  }),
  check(
    'L1-entity-3.a',
    'a type with another prefix or name, in other letters, or with a space behind it, is another type',
    async (target) => {
      const { type: own } = await listing(target)
      const known = await types(target)
      for (const change of NEAR_TYPES) if (!known.includes(change(own))) await expectNone(target, change(own))
    },
  ).also('L1-entity-2'),
  check('L1-endpoints-5.a', 'the list accepts limit=1, and gives at most one entity', (target) =>
    expectAtMost(target, 1),
  ).also('L1-routes-6'),
  check('L1-endpoints-5.b', 'the list accepts limit=0, and gives no entity', async (target) => {
    await listing(target)
    const exchange = await listWith(target, '?limit=0')
    const { status, succeeded } = exchange
    advise(succeeded, `limit=0 is answered with ${status}`, exchange)
    const entries = entriesIn(target, exchange.json) ?? []
    advise(entries.length === 0, `${entries.length} entities where 0 were wanted`, exchange)
  }),
  check('L1-endpoints-5.c', 'the list accepts limit=2, and gives at most two entities', (target) =>
    expectAtMost(target, 2),
  ),
  check('L1-endpoints-5.d', 'a list with entities has one also where one is wanted', async (target) => {
    const { entries, type: name } = await listing(target)
    if (entries.length === 0) throw new NotAsked('the list of this type is empty', { option: '--type' })
    const one = await readListing(target, name, '?limit=1')
    demand(one.entries.length > 0, 'with limit=1 it has none', one.exchange)
  }),
]
