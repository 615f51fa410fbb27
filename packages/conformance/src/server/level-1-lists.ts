import { NotApplicable, NotAsked } from '../check/check.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { isObject, isScalar, objectIn, sameJson } from '../json/json.ts'
import { descriptionOf, type Entry, listedTypes } from './profile.ts'
import { keyOf, listing, listings, readListing, seenPages, typeIn, typePath } from './reading.ts'
import { search } from './searching.ts'
import {
  entriesIn,
  isType,
  itemsIn,
  list,
  listRoute,
  listWith,
  plainList,
  type,
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
    const rawOf = ({ raw }: Entry) => raw
    const isSame = (other: (typeof filled)[number]) => sameJson(other.entries.map(rawOf), entries.map(rawOf))
    const twin = filled.slice(0, index).find(isSame)
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
  const entries = await entriesIn(target, exchange.json)
  demand(entries !== undefined || exchange.json === undefined, 'a success without a list', exchange)
  demand((entries ?? []).length === 0, `it has ${entries?.length}`, exchange)
}

/**
 * Fails if a list has no array, and the action finds entities of its type: nobody can read them. A list with nested members
 * may have a form of its own, unless other lists have arrays.
 */
async function expectReadable(target: Target, name: string): Promise<void> {
  const exchange = await plainList(target, name)
  if (!exchange.succeeded || (await itemsIn(target, exchange.json)) !== undefined) return
  const isPlain = Object.values(objectIn(exchange.json)).every(isScalar)
  if (!isPlain && !(await listings(target)).some(({ entries }) => entries.length > 0)) return
  const found = await search(target, { types: [name] }).catch(() => undefined)
  const count = found?.entries.length ?? 0
  demand(count === 0, `${name} has no array, and the action finds ${count}`, exchange)
}

/** Level 1 checks: single pages of a type's list. Ordered by rule. */
export const levelOneListChecks = [
  check('L1-routes-2.a', 'GET entities/{type}, the colon as %3A, answers a list in JSON', async (target) => {
    expectJson(await list(target))
  }).also('L1-service-2', 'L1-entity-3', 'L1-entity-1'),
  check('L1-discovery-7.b', 'every type that the document names has a list', async (target) => {
    const { document } = await target.document()
    if (descriptionOf(target, document).entityTypes === undefined)
      throw unrecognised(document, 'the list of types', 'types')
    const named = listedTypes(target, document).filter(isType)
    if (named.length === 0) throw new NotApplicable('the document names no type')
    await plainList(target, await type(target)).then(expectJson)
    for (const name of named.slice(0, MOST_TYPES)) expectJson(await plainList(target, name))
  }).also('L1-service-7'),
  check('L1-routes-2.b', 'the list has an array of entities', async (target) => {
    const exchange = await list(target)
    const body = expectJson(exchange)
    demand(typeof body === 'object' && body !== null, `the list is ${JSON.stringify(body)}`, exchange)
    for (const name of (await types(target)).slice(0, MOST_TYPES)) await expectReadable(target, name)
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
        const found = typeIn(entry, path)
        const other = found !== undefined && found !== name
        demand(!other, `the list of ${name} holds an entity of ${JSON.stringify(found)}`, exchange)
      }
  }).also('L1-entity-1', 'L1-service-1'),
  check('L1-routes-2.d', 'every entry of a list is an entity, none is null', async (target) => {
    await listing(target)
    for (const { entries, exchange } of await seenPages(target))
      for (const { raw } of entries) {
        const some = isObject(raw) || isScalar(raw) || (Array.isArray(raw) && raw.length > 0)
        demand(some, `the list holds ${JSON.stringify(raw)}`, exchange)
      }
  }),
  check('L1-routes-2.e', 'a list names no entity twice', async (target) => {
    await listing(target)
    for (const { entries, exchange } of await seenPages(target)) {
      const seen = new Set<string>()
      for (const entry of entries) {
        const key = keyOf(entry)
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
    const entries = (await entriesIn(target, exchange.json)) ?? []
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
