import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linearPattern } from './linear-pattern.ts'

test('patterns prone to catastrophic backtracking are checked in linear time', () => {
  const cases = [
    ['^(a+)+$', `${'a'.repeat(100_000)}!`, false],
    ['^(\\w+\\s?)*$', `${'word '.repeat(20_000)}!`, false],
    ['(x+x+)+y', 'x'.repeat(100_000), false],
    ['a*a*a*b', 'a'.repeat(100_000), false],
    ['^(a|a)*$', `${'a'.repeat(100_000)}!`, false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(100_000), false],
    ['^(a+)+$', 'a'.repeat(100_000), true],
  ] as const
  for (const [pattern, text, matches] of cases) {
    const before = process.threadCpuUsage()
    assert.equal(linearPattern(pattern)?.test(text), matches, pattern)
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(user + system < 1_000_000, `${pattern}: ${user + system} µs`)
  }
})

test('lookaround, backreferences and very large patterns are not supported', () => {
  for (const pattern of [
    '(?=a)b',
    '\\B',
    '(?!a)b',
    '(?<=a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(a{0,900}b){900}',
    '\\p{Script=Greek}',
  ])
    assert.equal(linearPattern(pattern), undefined, pattern)
  assert.throws(() => linearPattern('('), SyntaxError)
})

/** Pattern fragments that RE2 and ECMAScript might match differently. */
const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '[ab]',
    '[^a]',
    '[^]',
    '[]',
    '[\\s\\d-]',
    '\\b',
  ],
  ...[
    '\\u2028',
    '\\u{1f600}',
    '[\\u{1f600}-\\u{1f64f}]',
    '\\cJ',
    '\\x41',
    '\\/',
    '\\p{L}',
    '\\P{Lu}',
    '\\0',
    '(?<n>a)',
  ],
)
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?', '{0,}'))
  .map(([text, times]) => (/^\\b$/.test(text) ? text : text + times))
const sequence = fc.array(quantified, { maxLength: 4 }).map((parts) => parts.join(''))
const pattern = fc
  .tuple(
    fc.constantFrom('', '^'),
    sequence,
    fc.constantFrom('|', '(?:', '('),
    sequence,
    fc.constantFrom('', '$'),
  )
  .map(([begin, left, joint, right, end]) =>
    joint === '|' ? `${begin}${left}|${right}${end}` : `${begin}${left}${joint}${right})${end}`,
  )
  .filter((text) => (text.match(/<n>/g)?.length ?? 0) < 2)
const text = fc
  .array(fc.constantFrom(...'aAbB1_ -/\n\r\u2028\u00a0\ufeff\0é🙂', '\u{1f600}', '\ud800'), { maxLength: 8 })
  .map((parts) => parts.join(''))

test('a linear pattern matches the same strings as the ECMAScript regular expression', () => {
  let compared = 0
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
      const linear = linearPattern(source)
      assert.ok(linear, source)
      const own = new RegExp(source, 'u')
      for (const one of texts) {
        compared += 1
        assert.equal(linear.test(one), own.test(one), `${source} on ${JSON.stringify(one)}`)
      }
    }),
    { numRuns: 3_000 },
  )
  assert.ok(compared >= 15_000)
})
