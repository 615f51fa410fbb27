import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { at, isObject, membersOf, sameJson, written } from '../json/json.ts'
import { entryFrom, known } from './profile.ts'
import { listing, readListing, type Seen, seenEntities, typeIn, typePath } from './reading.ts'
import {
  entity,
  entityRoute,
  entriesIn,
  getEntity,
  id,
  isPlain,
  knownEntity,
  type,
  types,
} from './subjects.ts'
import { check, component, type Target } from './target.ts'

/** Approximate number of entities per list that are also requested individually. */
const MOST_ASKED = 8

/** Returns the entities seen whose ids need no escaping in a path, a few of each type. Other checks cover other ids. */
function sample(target: Target): Promise<Seen[]> {
  return target.once('plain entities', async () => {
    const plain = (await seenEntities(target)).filter(({ id: own }) => isPlain(own))
    if (plain.length === 0) throw new NotApplicable('no id that was seen is plain letters and digits')
    return [...Map.groupBy(plain, ({ page }) => page.type).values()].flatMap(spread)
  })
}

/** Reports whether a value has to be the same in a list: it is no URL, no nested object, and not left out. */
function isFixed(value: unknown): boolean {
  return !isObject(value ?? {}) && !/^(https?:|\.{0,2}\/|\?)/.test(String(value))
}

/** Reports whether a text in a list is only the beginning of the whole one. */
function isExcerpt(listed: unknown, whole: unknown): boolean {
  return (
    /(\u2026|\.{3})$/.test(`${listed}`) &&
    `${whole}`.startsWith(`${listed}`.replace(/\s*(\u2026|\.{3})$/, ''))
  )
}

/**
 * Fails if a member of an entity has one value in its list and another one alone, both of them twice. Returns a description
 * of a member that the entity lacks alone, or whose text changes with every read; undefined if there is none.
 */
async function expectSame(target: Target, { page, entry, id: own }: Seen): Promise<string | undefined> {
  const names = await known(target)
  const besides = [own, typeIn(entry, await typePath(target))]
  const readAlone = ({ json }: Exchange) => entryFrom(json, names)
  const alone = await getEntity(target, page.type, own)
  const whole = readAlone(alone)
  // L1-entity-4.a reports an entity with another id.
  if ((whole.id ?? own) !== own) return undefined
  let oddity: string | undefined
  for (const { path: member, value } of membersOf(entry.members, 3)) {
    const other = at(whole.members, member)
    if (isObject(value) || besides.includes(`${value}`) || sameJson(value, other)) continue
    const shown = [value, other].map((one) => JSON.stringify(one))
    const told = `${written(member)} of ${own} is ${shown[0]} in its list, and ${shown[1]} alone`
    const [size, otherSize] = [value, other].map((one) => Array.isArray(one) && one.length)
    if (isFixed(value) && isFixed(other) && size === otherSize && !isExcerpt(value, other)) {
      const again = await target.call(entityRoute(page.type, own))
      const { entries, exchange } = await readListing(target, page.type, page.query || '?')
      const second = at(entries.find((one) => one.id === own)?.members, member)
      const steady = sameJson(value, second) && sameJson(other, at(readAlone(again).members, member))
      demand(!steady, told, page.exchange, alone, exchange, again)
      if (typeof other !== 'string' || !Number.isNaN(Date.parse(other))) continue
    }
    oddity ??= told
  }
  return oddity
}

/** Level 1 checks: a request for a single entity returns exactly that entity. Ordered by rule. */
export const levelOneEntityChecks = [
  check('L1-routes-3.a', 'GET entities/{type}/{id} answers one entity in JSON', async (target) => {
    const exchange = await entity(target)
    const body = expectJson(exchange)
    const one = Array.isArray(body) && body.length === 1 ? body[0] : body
    const found = Array.isArray(one) ? `an array of ${one.length}` : JSON.stringify(one)
    demand(isObject(one), `the answer is ${found}`, exchange)
    demand(!(await isList(target, body)), 'the answer is a list', exchange)
  }).also('L1-service-1', 'L1-service-2', 'L1-entity-4', 'L1-entity-1'),
  check(
    'L1-routes-3.b',
    'the entity that answers has the type and the id that were asked for',
    async (target) => {
      const { exchange, entry } = await knownEntity(target)
      const { id: own } = await id(target)
      const typed = await typePath(target)
      if (entry.id === undefined && typed === undefined)
        throw new NotApplicable('the entities of this world name neither their id nor their type')
      demand(entry.id === undefined || entry.id === own, `its id is ${entry.id}, not ${own}`, exchange)
      const name = typeIn(entry, typed)
      const right = name === undefined || name === (await type(target))
      demand(right, `${typed} is ${JSON.stringify(name)}`, exchange)
    },
  ).also('L1-entity-4'),
  check('L1-routes-3.c', 'there is no entity at an id that no entity has', async (target) => {
    const name = await type(target)
    const exchange = await target.call(`entities/${component(name)}/${component(target.missingId)}`)
    const found = exchange.status >= 200 && exchange.status < 300
    if (found && target.options.missingId !== undefined && isObject(exchange.json))
      throw new NotApplicable('the missing id that was named is the id of an entity')
    demand(!found, `it is answered with ${exchange.status}`, exchange)
  }),
  check('L1-routes-3.d', 'an entity is the same alone and in its list', async (target) => {
    await knownEntity(target)
    const found: (string | undefined)[] = []
    for (const one of await sample(target)) found.push(await expectSame(target, one))
    const oddity = found.find((told) => told !== undefined)
    advise(oddity === undefined, `${oddity}`, await entity(target))
  }),
  check('L1-entity-4.a', 'every entity that a list names is found at its type and id', async (target) => {
    await listing(target)
    await knownEntity(target)
    for (const { page, id: own } of await sample(target)) {
      const exchange = await getEntity(target, page.type, own)
      const { id: found } = entryFrom(expectJson(exchange), await known(target))
      demand(found === undefined || found === own, `${own} is answered with ${found}`, exchange)
    }
  }).also('L1-service-2', 'L1-entity-3'),
  check('L1-entity-4.b', 'under another type the same id is not the same entity', async (target) => {
    const { entry } = await knownEntity(target)
    const { id: own } = await id(target)
    const name = await type(target)
    const others = (await types(target)).filter((other) => other !== name).slice(0, 2)
    for (const other of [...others, 'conformance:no-such-type']) {
      const exchange = await target.call(entityRoute(other, own))
      const same = exchange.status === 200 && sameJson(exchange.json, entry.raw)
      demand(!same, `as ${other} it is the entity of ${name}`, exchange)
    }
  }).also('L1-entity-3'),
]

/** Reports whether a body has several entities of the list. Otherwise, its array may be data nested in one entity. */
async function isList(target: Target, body: unknown): Promise<boolean> {
  const ids = new Set((await entriesIn(target, body))?.map((entry) => entry.id))
  const both = (await listing(target)).entries.filter((entry) => ids.has(entry.id))
  return ids.size > 1 && both.length > 1
}

/** Selects a few entries: the first ones, and others evenly spaced up to the last. */
export function spread<Entry>(entries: readonly Entry[]): Entry[] {
  const step = Math.max(1, Math.ceil(entries.length / MOST_ASKED))
  return entries.filter((_, index) => index < 3 || index % step === 0 || index === entries.length - 1)
}
