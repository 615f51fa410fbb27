/** Level 1 checks: a request for a single entity returns exactly that entity. */
import { NotApplicable } from '../check/check.ts'
import type { Exchange } from '../http/exchange.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { at, isObject, membersOf, sameJson, written } from '../json/json.ts'
import { idAt, isPlain, unwrapped } from '../shapes/entities.ts'
import { findList } from '../shapes/lists.ts'
import { listing, readListing, type Seen, seenEntities, typePath } from './reading.ts'
import { entity, entityRoute, entryOf, getEntity, id, idPath, knownEntity, type, types } from './subjects.ts'
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
  const path = await idPath(target)
  const besides = [path, (await typePath(target)) ?? []].map(written)
  const bodyOf = ({ json }: Exchange) => unwrapped(entryOf(target, json))
  const alone = await getEntity(target, page.type, own)
  // L1-entity-4.a reports an entity with another id.
  if ((idAt(bodyOf(alone), path) ?? own) !== own) return undefined
  let oddity: string | undefined
  for (const { path: member, value } of membersOf(unwrapped(entry), 3)) {
    const other = at(bodyOf(alone), member)
    if (isObject(value) || besides.includes(written(member)) || sameJson(value, other)) continue
    const shown = [value, other].map((one) => JSON.stringify(one))
    const told = `${written(member)} of ${own} is ${shown[0]} in its list, and ${shown[1]} alone`
    const [size, otherSize] = [value, other].map((one) => Array.isArray(one) && one.length)
    if (isFixed(value) && isFixed(other) && size === otherSize && !isExcerpt(value, other)) {
      const again = await target.call(entityRoute(page.type, own))
      const { entries, exchange } = await readListing(target, page.type, page.query || '?')
      const second = at(unwrapped(entries.find((one) => idAt(one, path) === own)), member)
      const steady = sameJson(value, second) && sameJson(other, at(bodyOf(again), member))
      demand(!steady, told, page.exchange, alone, exchange, again)
      if (typeof other !== 'string' || !Number.isNaN(Date.parse(other))) continue
    }
    oddity ??= told
  }
  return oddity
}

/** The checks in this file, ordered by rule. */
export const levelOneEntityChecks = [
  check('L1-routes-3.a', 'GET entities/{type}/{id} answers one entity in JSON', async (target) => {
    const exchange = await entity(target)
    const body = expectJson(exchange)
    const one = unwrapped(entryOf(target, body))
    const found = Array.isArray(one) ? `an array of ${one.length}` : JSON.stringify(one)
    demand(isObject(one), `the answer is ${found}`, exchange)
    const path = findList(body)
    const entries = path === undefined || path.length > 1 ? undefined : at(body, path)
    const several = Array.isArray(entries) && entries.length > 1 && (await isList(target, entries))
    demand(!several, 'the answer is a list', exchange)
  }).also('L1-service-1', 'L1-service-2', 'L1-entity-4', 'L1-entity-1'),
  check(
    'L1-routes-3.b',
    'the entity that answers has the type and the id that were asked for',
    async (target) => {
      const { exchange, body } = await knownEntity(target)
      const { id: own } = await id(target)
      const path = await idPath(target)
      const found = idAt(body, path)
      if (found === undefined && (await typePath(target)) === undefined)
        throw new NotApplicable('the entities of this world name neither their id nor their type')
      demand(found === undefined || found === own, `${written(path)} is ${found}, not ${own}`, exchange)
      const typed = await typePath(target)
      const name = typed === undefined ? undefined : at(unwrapped(body), typed)
      const right = name === undefined || name === (await type(target))
      demand(right, `${written(typed ?? [])} is ${JSON.stringify(name)}`, exchange)
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
    const path = await idPath(target)
    await knownEntity(target)
    for (const { page, id: own } of await sample(target)) {
      const exchange = await getEntity(target, page.type, own)
      const found = idAt(entryOf(target, expectJson(exchange)), path)
      demand(found === undefined || found === own, `${own} is answered with ${found}`, exchange)
    }
  }).also('L1-service-2', 'L1-entity-3'),
  check('L1-entity-4.b', 'under another type the same id is not the same entity', async (target) => {
    const { body } = await knownEntity(target)
    const { id: own } = await id(target)
    const name = await type(target)
    const others = (await types(target)).filter((other) => other !== name).slice(0, 2)
    for (const other of [...others, 'conformance:no-such-type']) {
      const exchange = await target.call(entityRoute(other, own))
      const same = exchange.status === 200 && sameJson(exchange.json, body)
      demand(!same, `as ${other} it is the entity of ${name}`, exchange)
    }
  }).also('L1-entity-3'),
]

/** Reports whether `entries` and the list have several ids in common. If not, `entries` may be data nested in one entity. */
async function isList(target: Target, entries: readonly unknown[]): Promise<boolean> {
  const path = await idPath(target)
  const ids = new Set(entries.map((entry) => idAt(entry, path)))
  const known = (await listing(target)).entries.map((entry) => idAt(entry, path))
  return ids.size > 1 && known.filter((own) => ids.has(own)).length > 1
}

/** Selects a few entries: the first ones, and others evenly spaced up to the last. */
export function spread<Entry>(entries: readonly Entry[]): Entry[] {
  const step = Math.max(1, Math.ceil(entries.length / MOST_ASKED))
  return entries.filter((_, index) => index < 3 || index % step === 0 || index === entries.length - 1)
}
