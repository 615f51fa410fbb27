/** Level 1 checks: types and ids as path components, percent-encoded once. */
import { NotApplicable, NotAsked } from '../check/check.ts'
import { demand, expectJson } from '../http/expect.ts'
import { idAt } from '../shapes/entities.ts'
import { listings, paging, walk } from './reading.ts'
import { entryOf, getEntity, id, idPath, knownEntity, list, ownEntity, ownList, type } from './subjects.ts'
import { check, component, escaped, type Target } from './target.ts'

/** Groups of ids that need escaping in a path, each with the letter of its check. */
const ODD: readonly (readonly [letter: string, what: string, pattern: RegExp])[] = [
  ['c', 'a slash', /\//],
  ['d', 'a space or a plus sign', /[ +]/],
  ['e', 'a percent sign', /%/],
  ['f', 'a question mark or a number sign', /[?#]/],
  ['g', 'letters beyond ASCII', /[^\0-\x7f]/],
]

/** Maximum number of entities requested per group of ids. */
const MOST_ASKED = 3

interface Address {
  readonly type: string
  readonly id: string
}

/** Returns the types and ids of the entities seen on the first page of several lists and during one walk. */
function seenIds(target: Target): Promise<Address[]> {
  return target.once('seen ids', async () => {
    const path = await idPath(target)
    const pages = [...(await listings(target))]
    try {
      const { type: walked } = await paging(target)
      const { pages: further } = await walk(target, undefined, 100)
      pages.push(...further.filter((page) => page.type === walked))
    } catch {
      // If no list can be walked, use the first pages only.
    }
    const found = pages.flatMap(({ type: name, entries }) =>
      entries.flatMap((entry) => {
        const own = idAt(entry, path)
        return own === undefined ? [] : [{ type: name, id: own }]
      }),
    )
    if (found.length === 0) throw new NotAsked('no list names an entity', { option: '--type' })
    return found
  })
}

/** Percent-encodes a path component, including its first character even if that character needs no encoding. */
function needlessly(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return escaped(first) + component(text.slice(first.length))
}

/** The checks in this file, ordered by rule. */
export const levelOneIdChecks = [
  check(
    'L1-endpoints-2.a',
    'an id is percent-decoded: escaping a letter of it needlessly addresses the same entity',
    async (target) => {
      await knownEntity(target)
      const own = (await id(target)).id
      expectJson(await target.call(`${await ownList(target)}/${needlessly(own)}`))
    },
  ).also('L1-entity-4'),
  check(
    'L1-endpoints-2.b',
    'an id fills exactly one path component: with another component behind it there is no entity',
    async (target) => {
      await knownEntity(target)
      const route = await ownEntity(target)
      const exchange = await target.call(`${route}/conformance`)
      demand(exchange.status >= 300, 'a longer path is answered like the entity', exchange)
    },
  ),
  check('L1-endpoints-2.h', 'an id is decoded once: encoded twice it is another id', async (target) => {
    await knownEntity(target)
    const twice = needlessly((await id(target)).id).replaceAll('%', '%25')
    const exchange = await target.call(`${await ownList(target)}/${twice}`)
    demand(exchange.status >= 300, 'encoded twice it is answered like the entity', exchange)
  }).also('L1-entity-4'),
  check('L1-endpoints-2.i', 'a type is decoded once: encoded twice it is another type', async (target) => {
    await list(target).then(expectJson)
    const exchange = await target.call(`entities/${component(component(await type(target)))}`)
    const usual = await list(target)
    const same = exchange.status === 200 && exchange.text === usual.text && usual.text.length > 2
    demand(!same, 'encoded twice it is answered like the list', exchange)
  }).also('L1-entity-3'),
  ...ODD.map(([letter, what, pattern]) =>
    check(
      `L1-endpoints-2.${letter}`,
      `an entity with ${what} in its id is found at its address`,
      async (target) => {
        const odd = (await seenIds(target)).filter((one) => pattern.test(one.id)).slice(0, MOST_ASKED)
        if (odd.length === 0) throw new NotApplicable('no id that was seen has one')
        for (const one of odd) {
          const exchange = await getEntity(target, one.type, one.id)
          const { status, succeeded } = exchange
          demand(succeeded, `${one.id} is answered with ${status}`, exchange)
          const found = idAt(entryOf(target, exchange.json), await idPath(target))
          demand(found === undefined || found === one.id, `${one.id} is answered with ${found}`, exchange)
        }
      },
    ).also('L1-entity-4'),
  ),
]
