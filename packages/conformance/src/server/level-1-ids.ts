import { NotApplicable } from '../check/check.ts'
import { advise, demand, expectJson } from '../http/expect.ts'
import { sameJson } from '../json/json.ts'
import { entryFrom, known } from './profile.ts'
import { seenEntities } from './reading.ts'
import { getEntity, id, knownEntity, list, listRoute, ownEntity, ownList, type } from './subjects.ts'
import { check, component, escaped, otherCase } from './target.ts'

/** Groups of ids that need escaping in a path, each with the letter of its check. */
const ODD: readonly (readonly [letter: string, what: string, pattern: RegExp])[] = [
  ['c', 'a slash', /\//],
  ['d', 'a space or a plus sign', /[ +]/],
  ['e', 'a percent sign', /%/],
  ['f', 'a question mark or a number sign', /[?#]/],
  ['g', 'letters beyond ASCII', /[^\0-\x7f]/],
  ['l', 'other signs', /[^\w\s.~%/+?#\u0080-\uffff-]/],
]

/** Maximum number of entities requested per group of ids. */
const MOST_ASKED = 3

/** Changes that make another id of one, as a path component. Returns the component of the same id if it has no such change. */
const NEAR_IDS: readonly (readonly [what: string, change: (id: string) => string])[] = [
  ['a space before it', (own) => component(` ${own}`)],
  ['a space behind it', (own) => component(`${own} `)],
  ['its letters in the other case', (own) => component(otherCase(own))],
  ['a plus sign for a space', (own) => component(own).replaceAll('%20', '+')],
  ['a letter behind it', (own) => component(`${own}x`)],
  ['its end cut off', (own) => component([...own].slice(0, -1).join('') || own)],
]

/** Percent-encodes a path component, including its first character even if that character needs no encoding. */
function needlessly(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return escaped(first) + component(text.slice(first.length))
}

/** Level 1 checks: types and ids as path components, percent-encoded once. Ordered by rule. */
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
        const odd = (await seenEntities(target)).filter((one) => pattern.test(one.id)).slice(0, MOST_ASKED)
        if (odd.length === 0) throw new NotApplicable('no id that was seen has one')
        for (const one of odd) {
          const exchange = await getEntity(target, one.page.type, one.id)
          const { id: found } = entryFrom(expectJson(exchange), await known(target))
          demand(found === undefined || found === one.id, `${one.id} is answered with ${found}`, exchange)
        }
      },
    ).also('L1-entity-4'),
  ),
  check('L1-endpoints-2.j', 'an escape in lower case is an escape too', async (target) => {
    expectJson(await target.call(`entities/${component(await type(target)).replaceAll('%3A', '%3a')}`))
  }),
  check('L1-endpoints-2.k', 'an encoded slash does not separate type and id', async (target) => {
    const { entry } = await knownEntity(target)
    const exchange = await target.call((await ownEntity(target)).replace(/\/(?=[^/]*$)/, '%2F'))
    demand(!sameJson(exchange.json, entry.raw), 'it is answered like the entity', exchange)
  }),
  check('L1-endpoints-2.m', 'an empty component counts: with one more there is no entity', async (target) => {
    await knownEntity(target)
    const own = await ownEntity(target)
    for (const route of [own.replace(/\/(?=[^/]*$)/, '//'), `${own}/`]) {
      const exchange = await target.call(route)
      advise(exchange.status >= 300, 'with another slash it is answered like the entity', exchange)
    }
  }),
  check('L1-entity-4.c', 'an id with another letter, case or space is another id', async (target) => {
    await knownEntity(target)
    const seen = await seenEntities(target)
    for (const [what, change] of NEAR_IDS)
      for (const one of seen.filter(({ id: own }) => change(own) !== component(own)).slice(0, MOST_ASKED)) {
        const { json: right } = await getEntity(target, one.page.type, one.id)
        const exchange = await target.call(`${listRoute(one.page.type)}/${change(one.id)}`)
        const { id: named } = entryFrom(exchange.json, await known(target))
        const same = named === one.id || (named === undefined && sameJson(exchange.json, right))
        demand(!exchange.succeeded || !same, `${one.id} with ${what} is still ${one.id}`, exchange)
      }
  }),
]
