import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CellForm, cellFormFault, cellText, createCellReader } from './cell-form.ts'
import type { CellKind } from './cells.ts'

/** Reads a cell. Returns its value and the text written back, or `undefined` if the cell does not fit. */
function read(text: string, form: CellForm, kind: CellKind = 'number') {
  const found = createCellReader(form)(text, kind)
  return 'value' in found ? [found.value, cellText(found.value, form)] : undefined
}

const GERMAN: CellForm = { decimal: ',', thousands: '.', decimals: 2 }

test('numbers round-trip through their form', () => {
  const cases: [string, CellForm, number, string?][] = [
    ['1.234,50', GERMAN, 1234.5],
    ['-1.234.567,00', GERMAN, -1234567],
    ['0,05', GERMAN, 0.05],
    ['1234,5', GERMAN, 1234.5, '1.234,50'],
    ['$1,234.5', { thousands: ',', prefix: '$' }, 1234.5],
    ['-$7', { prefix: '$' }, -7],
    ['12 kg', { suffix: ' kg' }, 12],
    ['45 %', { suffix: ' %', decimals: 0 }, 45],
    ["1'000", { thousands: "'" }, 1000],
    ['2008.0', { decimals: 1 }, 2008],
    [' 7,5 ', { decimal: ',' }, 7.5, '7,5'],
  ]
  for (const [text, form, value, written = text] of cases)
    assert.deepEqual(read(text, form), [value, written], text)
})

test('text in a different form is not read as a number', () => {
  for (const text of [
    '1.5',
    '12.34,5',
    '1.2345',
    ',5',
    '5,',
    '--5',
    '+5',
    '1e5',
    '0x1F',
    '',
    '1,5,0',
    '1 000',
  ])
    assert.equal(read(text, GERMAN), undefined, text)
  assert.equal(read('12', { suffix: ' kg' }), undefined)
  assert.equal(read('1.5', { decimals: 1 }, 'integer'), undefined)
  for (const text of ['9.007.199.254.740.993', '0,12345678901234567891', '9'.repeat(400)])
    assert.equal(read(text, GERMAN), undefined, text)
})

test('dates are converted to RFC 3339, and a nonexistent day is a fault', () => {
  const cases: [string, CellForm, string][] = [
    ['05.02.2024', { date: 'dd.mm.yyyy' }, '2024-02-05'],
    ['5.2.2024', { date: 'd.m.yyyy' }, '2024-02-05'],
    ['2/29/2024', { date: 'm/d/yyyy' }, '2024-02-29'],
    ['20240205', { date: 'yyyymmdd' }, '2024-02-05'],
    ['05.02.2024 13:45', { date: 'dd.mm.yyyy HH:MM', zone: '+01:00' }, '2024-02-05T13:45:00+01:00'],
    ['2024-02-05 13:45:59', { date: 'yyyy-mm-dd HH:MM:SS', zone: 'Z' }, '2024-02-05T13:45:59Z'],
  ]
  for (const [text, form, date] of cases) assert.deepEqual(read(text, form), [date, text])
  for (const text of ['30.02.2024', '5.2.2024', '05.02.24', '05-02-2024', '05.13.2024'])
    assert.equal(read(text, { date: 'dd.mm.yyyy' }), undefined, text)
  assert.equal(read('05.02.2024 24:00', { date: 'dd.mm.yyyy HH:MM', zone: 'Z' }), undefined)
})

test('words become true or false, and list elements have the declared form', () => {
  const words = { ja: true, nein: false }
  assert.deepEqual(read('nein', { words }), [false, 'nein'])
  assert.equal(read('Nein', { words }), undefined)
  assert.deepEqual(read('a; b', { separator: '; ' }, 'text'), [['a', 'b'], 'a; b'])
  assert.deepEqual(read('1,5|2,0', { separator: '|', decimal: ',', decimals: 1 }), [[1.5, 2], '1,5|2,0'])
})

test('a contradictory form is a fault at its member', () => {
  const faulty: [CellForm, string][] = [
    [{ date: 'dd.mm' }, 'date'],
    [{ date: 'dd.mm.yyyy HH:MM' }, 'date'],
    [{ date: 'dd.mm.yyyy', decimal: ',' }, 'date'],
    [{ words: { x: true }, decimals: 2 }, 'words'],
    [{ thousands: '.' }, 'thousands'],
  ]
  for (const [form, member] of faulty) assert.equal(cellFormFault(form)?.member, member, JSON.stringify(form))
  for (const form of [{}, GERMAN, { date: 'd/m/yyyy HH:MM:SS', zone: 'Z' }])
    assert.equal(cellFormFault(form), undefined)
})
