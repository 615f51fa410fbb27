import { NotApplicable } from '../check/check.ts'
import { demand, expectError } from '../http/expect.ts'
import { answerOf, ask, expectInvalid, expectSame, expectWarning } from './answers.ts'
import { census, expectUnchanged, MOST_TYPES, statedLimit, typeWith } from './pages.ts'
import { type, types } from './subjects.ts'
import { check } from './target.ts'

const UNKNOWN = 'conformance:no-such-type'

/** Strings that break a server if it passes them unescaped to a query language, a pattern or a C string. */
const HOSTILE_TEXTS = [
  '"',
  "'; DROP TABLE entities; --",
  'a AND OR NOT (b',
  'NEAR("x" y, 2) col:x ^* -',
  '*',
  '%_\\',
  '(((((((((((((((((((',
  '[a-',
  '{{7*7}} #{7*7} <script>',
  '\u0000a\u0000',
  '\u202e\u200b\ufeff',
  'é\u0301\u0301\u0301'.repeat(40),
  '👩‍🚀 日本語 العربية',
  '__proto__ constructor toString',
]

/** Checks for section 4 of the decisions: the input of `wp:discover`. Ordered by rule. */
export const discoverInputChecks = [
  check(
    'D4-5.a',
    'a body without input, or whose input is no object, gets 400 invalid_input',
    async (target) => {
      await expectInvalid(target, {}, '/input')
      for (const input of [null, [], 'x', 1, true]) await expectInvalid(target, { input }, '/input')
      for (const body of [[], '"x"', 'null', '1']) await expectInvalid(target, body, '')
    },
  ).also('D5-19'),
  check('D4-6.a', 'an empty input asks for every entity of the world', async (target) => {
    const all = await types(target)
    if (all.length > MOST_TYPES) throw new NotApplicable(`the world has more than ${MOST_TYPES} types`)
    const { output, exchange } = await ask(target, {})
    const total = [...(await census(target)).values()].reduce((sum, count) => sum + count, 0)
    const right = output['total'] === total || output['totalIsLowerBound'] === true
    demand(right, `total is ${output['total']}, the lists have ${total}`, exchange)
  }),
  check('D4-7.a', 'a member of input that is null counts as left out', async (target) => {
    const plain = await ask(target, {})
    const nulls = await ask(target, { types: null, text: null, limit: null })
    expectSame('body', plain, nulls, 'null and left out give different answers')
  }),
  check(
    'D4-8.a',
    'an unknown member of input is ignored, with a warning unknown_field that points to it',
    async (target) => {
      const plain = await ask(target, { limit: 3 })
      const unknown = await ask(target, { limit: 3, 'conformance/x~y': 1 })
      expectWarning(unknown, 'unknown_field', '/input/conformance~1x~0y')
      expectSame('entities', plain, unknown, 'the unknown member changes the answer')
    },
  ).also('D4-3'),
  check('D4-9.a', 'types [] is the same as no types', async (target) => {
    const plain = await ask(target, {})
    expectSame('body', plain, await ask(target, { types: [] }), 'types [] gives another answer')
  }),
  check('D4-10.a', 'a type that is named more than once counts once', async (target) => {
    const name = await type(target)
    const once = await ask(target, { types: [name] })
    const thrice = await ask(target, { types: [name, name, name] })
    expectSame('body', once, thrice, 'a repeated type gives another answer')
  }),
  check(
    'D4-11.a',
    'more types than the stated maximum get 400 invalid_input, that many do not',
    async (target) => {
      const most = await statedLimit(target, 'maxTypes')
      const many = (count: number) => Array.from({ length: count }, (_, index) => `conformance:t${index}`)
      await expectInvalid(target, { input: { types: many(most + 1) } }, '/input/types')
      await ask(target, { types: many(most) })
    },
  ),
  check(
    'D4-12.a',
    'an entry of types that is no string or no type gets 400 invalid_input that points to it',
    async (target) => {
      const name = await type(target)
      for (const bad of [1, null, [], {}, 'moon', 'a:b:c', '', 'A:b', '*'])
        await expectInvalid(target, { input: { types: [name, bad] } }, '/input/types/1')
      for (const types of ['sol:moon', {}, 1, true])
        await expectInvalid(target, { input: { types } }, '/input/types')
    },
  ),
  check(
    'D4-13.a',
    'an unknown type adds nothing but a warning unknown_type that points to it',
    async (target) => {
      const name = await type(target)
      const plain = await ask(target, { types: [name] })
      const unknown = await ask(target, { types: [name, UNKNOWN] })
      expectWarning(unknown, 'unknown_type', '/input/types/1')
      expectSame('output', plain, unknown, 'the unknown type changes the output')
    },
  ).also('D4-3'),
  check('D4-14.a', 'if all types are unknown, the result is empty', async (target) => {
    const { entities, output, exchange } = await ask(target, { types: [UNKNOWN] })
    demand(entities.length === 0 && output['total'] === 0, 'there are results', exchange)
  }),
  check('D4-15.a', 'a text that is empty or only white space is no filter', async (target) => {
    const plain = await ask(target, {})
    for (const text of ['', '   ', '\t\n\u3000'])
      expectSame('body', plain, await ask(target, { text }), `the text ${JSON.stringify(text)} filters`)
  }),
  check(
    'D4-16.a',
    'a text longer than the stated maximum of code points gets 400 invalid_input, one of that length does not',
    async (target) => {
      const most = await statedLimit(target, 'maxTextLength')
      await expectInvalid(target, { input: { text: 'a'.repeat(most + 1) } }, '/input/text')
      await expectInvalid(target, { input: { text: '🪐'.repeat(most + 1) } }, '/input/text')
      await ask(target, { text: 'a'.repeat(most) })
      await ask(target, { text: '🪐'.repeat(most) })
    },
  ),
  check('D4-17.a', 'no other text leads to an error, whatever it contains', async (target) => {
    const most = await statedLimit(target, 'maxTextLength')
    for (const text of HOSTILE_TEXTS) await ask(target, { text: [...text].slice(0, most).join('') })
    // A lone surrogate can only be sent as an escape.
    answerOf(await target.discover('{"input":{"text":"\\ud800 \\udfff"}}'))
    for (const text of [1, true, [], {}]) await expectInvalid(target, { input: { text } }, '/input/text')
  }),
  check(
    'D4-19.a',
    'without limit the stated default counts, above the maximum the maximum, and the output says so',
    async (target) => {
      const usual = await statedLimit(target, 'discover', 'default')
      const max = await statedLimit(target, 'discover', 'max')
      const cases = [
        [{}, usual],
        [{ limit: max + 1 }, max],
        [{ limit: 1 }, 1],
      ] as const
      for (const [input, limit] of cases) {
        const { output, entities, exchange } = await ask(target, input)
        demand(output['limit'] === limit, `limit of the output is ${output['limit']}, not ${limit}`, exchange)
        demand(entities.length <= limit, `${entities.length} entities, limit ${limit}`, exchange)
      }
    },
  ),
  check('D4-20.a', 'a limit of 5.0 or 0.5e1 is 5', async (target) => {
    for (const limit of ['5.0', '0.5e1', '50E-1']) {
      const { output, exchange } = answerOf(await target.discover(`{"input":{"limit":${limit}}}`))
      demand(output['limit'] === 5, `limit of the output is ${output['limit']}`, exchange)
    }
  }),
  check('D4-21.a', '"5", 1.5, -1, true and 1e400 as limit get 400 invalid_input', async (target) => {
    for (const limit of ['"5"', '1.5', '-1', 'true', '1e400', '[]', '{}'])
      await expectInvalid(target, `{"input":{"limit":${limit}}}`, '/input/limit')
  }),
  check('D4-22.a', 'a limit of 0 gives no entities, but the numbers', async (target) => {
    const { type: name, total } = await typeWith(target, 1)
    const { output, entities, exchange } = await ask(target, { types: [name], limit: 0 })
    demand(entities.length === 0 && output['limit'] === 0, 'there are entities', exchange)
    demand(output['total'] === total, `total is ${output['total']}, the list has ${total}`, exchange)
    demand(output['truncated'] === true, 'more exist, but truncated is not true', exchange)
  }),
  check('D4-4.a', 'a call of an unknown action gets 404 unknown_action', async (target) => {
    for (const action of ['conformance%3Ano-such-action', 'discover', '__proto__']) {
      const exchange = await target.discover({ input: {} }, {}, `actions/${action}`)
      const details = expectError(exchange, 404, 'unknown_action', 'action')
      demand(details['action'] === decodeURIComponent(action), 'details.action is another', exchange)
    }
  }).also('D5-25', 'D1-36'),
  check('D4-34.a', 'a call of wp:discover changes nothing', async (target) => {
    const name = await type(target)
    await expectUnchanged(target, name, () => ask(target, { types: [name], text: 'a' }))
  }),
]
