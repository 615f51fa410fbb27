import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ExactNumber } from '@worldwright/client/exact'
import { numberText, timeText } from './numbers.ts'

test('numbers are formatted according to the language', () => {
  assert.equal(numberText(69911, 'en'), '69,911')
  assert.equal(numberText(69911.5, 'de'), '69.911,5')
  assert.equal(numberText(1801, 'en', false), '1801')
  assert.equal(numberText(-110, 'en'), '−110')
  assert.equal(numberText(0, 'en'), '0')
  assert.equal(numberText(0.1 + 0.2, 'en'), '0.3')
})

test('very large and very small numbers use a power of ten', () => {
  assert.equal(numberText(1.898e27, 'en'), '1.898 × 10²⁷')
  assert.equal(numberText(1.898e27, 'de'), '1,898 × 10²⁷')
  assert.equal(numberText(3.48e-7, 'en'), '3.48 × 10⁻⁷')
  assert.equal(numberText(-1e20, 'en'), '−1 × 10²⁰')
  assert.equal(numberText(1e20, 'en'), '10²⁰')
})

test('exact integers have all their digits, and other exact numbers their text', () => {
  assert.equal(numberText(9780306406157, 'en', false), '9780306406157')
  assert.equal(numberText(9007199254740991, 'en'), '9,007,199,254,740,991')
  for (const [text, shown] of [
    ['9007199254740993', '9.007.199.254.740.993'],
    ['-12345678901234567003', '−12.345.678.901.234.567.003'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    ['1e400', '1e400'],
  ] as const)
    assert.equal(numberText(new ExactNumber(text) as never, 'de'), shown)
  assert.equal(numberText(new ExactNumber('9007199254740993') as never, 'en', false), '9007199254740993')
})

test('only RFC 3339 dates and times are formatted, and none before year 1', () => {
  assert.equal(timeText('1801-01-01', 'en-GB'), '1 January 1801')
  assert.equal(timeText('0903-12-07', 'de'), '7. Dezember 903')
  assert.equal(timeText('2024-02-29', 'en-GB'), '29 February 2024')
  assert.match(timeText('2026-03-01T09:00:00Z', 'en-GB') ?? '', /^1 March 2026 at 09:00 UTC$/)
  for (const text of [
    '2026',
    '2026-13-01',
    '2024-02-30',
    '2023-02-29',
    '2024-04-31T10:00:00Z',
    '2024-04-30T24:00:00Z',
    '2026-03-01 09:00',
    'yesterday',
    '0000-03-01',
    '0001-01-01T00:30:00+01:00',
    '',
  ]) {
    assert.equal(timeText(text, 'en'), undefined, text)
  }
})

test('a power of ten is not reordered within right-to-left text', () => {
  assert.equal(numberText(6.417e23, 'ar-MA'), '\u200e6,417 × 10²³')
  assert.equal(numberText(-0.5, 'ar-MA'), '\u200e\u22120,5')
})
