/** Level 1 checks: a request for a single entity returns exactly that entity. */
import { NotApplicable } from '../check/check.ts'
import { demand, expectJson } from '../http/expect.ts'
import { idAt, isPlain, unwrapped } from '../shapes/entities.ts'
import { at, isObject, isScalar, membersOf, type Path, sameJson, written } from '../shapes/json.ts'
import { findList } from '../shapes/lists.ts'
import { listing, listings, typePath } from './reading.ts'
import { entity, entityRoute, entryOf, getEntity, id, idPath, knownEntity, type, types } from './subjects.ts'
import { check, component, type Target } from './target.ts'

/** Approximate number of entities per list that are also requested individually. */
const MOST_ASKED = 8

/** Returns the list entry of the entity under test. Throws NotApplicable if the first page of its list lacks it. */
async function listed(target: Target): Promise<unknown> {
  const { id: own, named } = await id(target)
  const { entries } = await listing(target)
  const path = await idPath(target)
  const entry = entries.find((one) => idAt(one, path) === own)
  if (entry === undefined || (named && !isObject(unwrapped(entry))))
    throw new NotApplicable('the entity is not on the first page of its list')
  return entry
}

/** Returns the paths of the scalar members that `a` and `b` have in common, except the paths in `besides`. */
function comparable(a: unknown, b: unknown, besides: readonly Path[]): Path[] {
  const names = besides.map(written)
  const both = membersOf(unwrapped(a), 2).filter(
    ({ value, path }) => isScalar(value) && isScalar(at(unwrapped(b), path)),
  )
  return both.map(({ path }) => path).filter((path) => !names.includes(written(path)))
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
    const { exchange, body } = await knownEntity(target)
    const entry = await listed(target)
    const typed = await typePath(target)
    const paths = comparable(entry, body, [await idPath(target), ...(typed === undefined ? [] : [typed])])
    if (paths.length === 0) throw new NotApplicable('list and entity have no other member in common')
    const same = paths.some((path) => sameJson(at(unwrapped(entry), path), at(unwrapped(body), path)))
    const shown = paths.map(written).slice(0, 3).join(', ')
    demand(same, `nothing is the same: ${shown}`, exchange)
  }),
  check('L1-entity-4.a', 'every entity that a list names is found at its type and id', async (target) => {
    await listing(target)
    const path = await idPath(target)
    await knownEntity(target)
    const seen = (await listings(target)).flatMap(({ type: name, entries }) =>
      spread(plain(entries, path)).map((entry) => ({ name, own: idAt(entry, path) ?? '' })),
    )
    for (const { name, own } of seen) {
      const exchange = await getEntity(target, name, own)
      const { status, succeeded } = exchange
      demand(succeeded, `${name} ${own} is answered with ${status}`, exchange)
      const found = idAt(entryOf(target, exchange.json), path)
      demand(found === undefined || found === own, `${name} ${own} is answered with ${found}`, exchange)
    }
    if (seen.length === 0) throw new NotApplicable('no id that was seen is plain letters and digits')
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

/** Returns the entries whose ids need no escaping in a path. Other checks cover the remaining ids. */
function plain(entries: readonly unknown[], path: Path): readonly unknown[] {
  return entries.filter((entry) => isPlain(idAt(entry, path) ?? ''))
}

/** Selects a few evenly spaced entries, including the first and the last. */
function spread(entries: readonly unknown[]): unknown[] {
  const step = Math.max(1, Math.ceil(entries.length / MOST_ASKED))
  return entries.filter((_, index) => index % step === 0 || index === entries.length - 1)
}
