import { NotApplicable } from '../check/check.ts'
import { demand, expectError, expectStatus } from '../http/expect.ts'
import { listedTypes } from './profile.ts'
import { id, listRoute, ownEntity, ownList, type, types } from './subjects.ts'
import { check, component } from './target.ts'

const GRAMMAR = /^[a-z][a-z0-9]*([.-][a-z0-9]+)*:[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*$/

/** Strings that are not valid types, grouped by the check that covers the rule they break. */
const ILL_FORMED = [
  ['D2-16.a', 'exactly one colon and ASCII alone', ['moon', 'a:b:c', ':', 'sol:móon', 'sol:moon%']],
  ['D2-18.a', 'at most 128 characters', [`sol:${'m'.repeat(125)}`]],
  ['D2-19.a', 'a prefix after its pattern', ['Sol:moon', '1sol:moon', 'sol-:moon', 'so_l:moon', ':moon']],
  ['D2-20.a', 'a name after its pattern', ['sol:', 'sol:1moon', 'sol:moon-', 'sol:mo on', 'sol:mo/on']],
] as const

/** Checks for section 2 of the decisions: the grammar of types, and types in a path. Ordered by rule. */
export const typeChecks = [
  ...ILL_FORMED.map(([id, what, names]) =>
    check(id, `a type in a path has ${what}; anything else gets 400 invalid_type`, async (target) => {
      for (const name of names)
        expectError(await target.call(listRoute(name)), 400, 'invalid_type', 'type', 'reason')
    }).also('D5-16'),
  ),
  check('D2-16.b', 'the types in the discovery document follow the grammar', async (target) => {
    const { document, exchange } = await target.document()
    for (const name of listedTypes(target, document)) {
      const right = typeof name === 'string' && name.length <= 128 && GRAMMAR.test(name)
      demand(right, `not a type: ${JSON.stringify(name)}`, exchange)
    }
  }).also('D2-18', 'D2-19', 'D2-20'),
  check('D2-17.a', 'a type in other letter case is another type', async (target) => {
    const name = await type(target)
    const [prefix = '', own = ''] = name.split(':')
    const first = own.charAt(0)
    const swapped = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase()
    const other = `${prefix}:${swapped}${own.slice(1)}`
    if ((await types(target)).includes(other))
      throw new NotApplicable(`the world has both ${name} and ${other}`)
    expectError(await target.call(listRoute(other)), 404, 'unknown_type', 'type')
  }),
  check('D2-18.b', 'a type of exactly 128 characters is a type', async (target) => {
    expectError(await target.call(listRoute(`sol:${'m'.repeat(124)}`)), 404, 'unknown_type', 'type')
  }),
  check('D2-21.a', 'no type of the world has the prefix wp', async (target) => {
    const { document, exchange } = await target.document()
    const own = listedTypes(target, document).filter((name) => String(name).startsWith('wp:'))
    demand(own.length === 0, `the world has the type ${own[0]}`, exchange)
  }),
  check('D2-31.a', 'the colon of a type may be :, %3A or %3a', async (target) => {
    const name = await type(target)
    const usual = await target.call(`${listRoute(name)}?limit=1`)
    expectStatus(usual, 200)
    for (const colon of [':', '%3a']) {
      const other = await target.call(`entities/${component(name).replace('%3A', colon)}?limit=1`)
      expectStatus(other, 200)
      demand(other.body.equals(usual.body), `${colon} gives another list than %3A`, usual, other)
    }
  }),
  check('D2-31.b', 'the colon of an action may be :, %3A or %3a', async (target) => {
    for (const colon of [':', '%3a'])
      expectStatus(await target.discover({ input: {} }, {}, `actions/wp${colon}discover`), 200)
  }),
  check('D2-33.a', 'a broken percent escape in a path gets 400 invalid_request', async (target) => {
    const list = await ownList(target)
    for (const broken of ['%', '%4', '%zz', 'a%', '%ff', '%e0%a4'])
      expectError(await target.call(`${list}/${broken}`), 400, 'invalid_request', 'reason')
    expectError(await target.call('entities/%3'), 400, 'invalid_request', 'reason')
  }).also('D5-13'),
  check('D2-34.a', 'an empty type or id component gets 404 not_found, never the list', async (target) => {
    const list = await ownList(target)
    for (const route of [`${list}/`, 'entities/', `entities//${component((await id(target)).id)}`])
      expectError(await target.call(route), 404, 'not_found')
  }).also('D5-22'),
  check('D2-32.a', 'dot segments in a path, written out or escaped, reach no other route', async (target) => {
    const name = component(await type(target))
    const route = await ownEntity(target)
    const last = route.slice(route.lastIndexOf('/') + 1)
    const paths = [`./${route}`, `entities/x/../${name}/${last}`, `entities/x/%2e%2e/${name}/${last}`]
    for (const path of [...paths, `entities/${name}/./${last}`, `entities/${name}/x/../${last}`])
      expectStatus(await target.call(path), 404, 400)
  }),
]
