import { NotApplicable } from '../check/check.ts'
import { demand, expectError, expectStatus } from '../http/expect.ts'
import { census, MOST_TYPES, readPage } from './pages.ts'
import { entityRoute, listRoute, ownList, type, types } from './subjects.ts'
import { check, component, type Target } from './target.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what an id may not hold.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const DOT_SEGMENT = /(^|[/\\])\.{1,2}($|[/\\])/

/** Returns the reason why a string is not a valid id; undefined if it is valid. */
function idFault(id: string): string | undefined {
  if (id === '') return 'empty'
  if (Buffer.byteLength(id.normalize('NFC')) > 512) return 'longer than 512 bytes'
  if (!id.isWellFormed()) return 'no well-formed Unicode'
  if (CONTROL.test(id)) return 'a control character or line separator'
  if (id.trim() !== id) return 'white space at an end'
  if (DOT_SEGMENT.test(id)) return 'a dot segment'
  return id.normalize('NFC') === id ? undefined : 'not in NFC'
}

async function expectInvalid(target: Target, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const exchange = await target.call(entityRoute(await type(target), id))
    expectError(exchange, 400, 'invalid_id', 'id', 'reason')
  }
}

/** Valid ids that need escaping in a path, or that a server may mishandle there. */
const ODD_IDS = [
  'a/b',
  'a\\b',
  '100%',
  '%2F',
  'a?b#c',
  'a+b',
  'ü',
  '日本語',
  '👩‍🚀',
  '...',
  '..a',
  '"\'`<>',
  "O'Neil; --",
]

/** Checks for section 2 of the decisions: valid ids, and ids in a path. Ordered by rule. */
export const idChecks = [
  check('D2-22.a', 'the ids of the lists follow the rules for ids and are in NFC', async (target) => {
    for (const name of (await types(target)).slice(0, MOST_TYPES)) {
      const { ids, exchange } = await readPage(target, name, '?limit=50')
      for (const id of ids) {
        const fault = typeof id === 'string' ? idFault(id) : 'no string'
        demand(fault === undefined, `the id ${JSON.stringify(id)}: ${fault}`, exchange)
      }
    }
  }).also('D2-23', 'D2-24', 'D2-25'),
  check('D2-22.b', 'an id over 512 bytes gets 400 invalid_id, one of 512 bytes is an id', async (target) => {
    await expectInvalid(target, ['i'.repeat(513), 'ü'.repeat(257)])
    const longest = await target.call(entityRoute(await type(target), 'ü'.repeat(256)))
    expectError(longest, 404, 'entity_not_found')
  }).also('D5-17'),
  check('D2-23.a', 'an id with a control character or U+2028 gets 400 invalid_id', (target) =>
    expectInvalid(target, ['a\u0000b', 'a\u0007b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u2029b']),
  ).also('D5-17'),
  check('D2-24.a', 'an id that begins or ends with white space gets 400 invalid_id', (target) =>
    expectInvalid(target, [' a', 'a ', '\u00a0a', 'a\u3000']),
  ).also('D5-17'),
  check(
    'D2-25.a',
    'an id with a segment . or .. gets 400 invalid_id and reaches no other route',
    async (target) => {
      await expectInvalid(target, ['a/../b', '../b', 'a/.', 'a\\..\\b', './b'])
      const list = await ownList(target)
      for (const dots of ['%2e', '%2e%2e', '%2E.', '..%2fx'])
        expectError(await target.call(`${list}/${dots}`), 400, 'invalid_id', 'id', 'reason')
    },
  ).also('D5-17', 'D2-32'),
  check(
    'D2-26.a',
    'any other id can be asked for, and one that is not there gets 404 entity_not_found naming it',
    async (target) => {
      for (const odd of ODD_IDS) {
        const id = `${odd}${target.missingId}${odd}`
        const exchange = await target.call(entityRoute(await type(target), id))
        const details = expectError(exchange, 404, 'entity_not_found', 'type', 'id')
        demand(details['id'] === id, `details.id is not the id asked for, ${JSON.stringify(id)}`, exchange)
      }
    },
  ).also('D5-24'),
  check('D2-32.b', 'a component is decoded exactly once', async (target) => {
    const exchange = await target.call(`${await ownList(target)}/${target.missingId}%252Fx`)
    const details = expectError(exchange, 404, 'entity_not_found', 'id')
    const right = `${target.missingId}%2Fx`
    demand(details['id'] === right, `details.id is ${JSON.stringify(details['id'])}, not ${right}`, exchange)
  }),
  check(
    'D2-29.a',
    'a read with an id that is not in NFC finds the entity whose id is its NFC form',
    async (target) => {
      for (const name of (await census(target)).keys()) {
        const { ids } = await readPage(target, name, '?limit=200')
        const found = ids.find((id) => typeof id === 'string' && id.normalize('NFD') !== id)
        if (typeof found !== 'string') continue
        const usual = await target.call(entityRoute(name, found))
        const other = await target.call(`${listRoute(name)}/${component(found.normalize('NFD'))}`)
        expectStatus(other, 200)
        demand(other.body.equals(usual.body), 'another entity is found', usual, other)
        return
      }
      throw new NotApplicable('no id on the pages read has a form other than NFC')
    },
  ),
]
