import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteReader, ByteWriter } from '../format/byte-io.ts'
import { Doubles, writeDoubles } from './dictionary.ts'
import { ValueRows } from './value-rows.ts'

function readBack(...numbers: number[]): number[] {
  const stored: Uint8Array[] = []
  const rows = new ValueRows((row, bytes) => {
    stored[row] = bytes
  })
  const directory = new ByteWriter()
  writeDoubles(rows, directory, Float64Array.from(numbers), numbers.length)
  rows.end()
  const reader = new ByteReader(directory.toBytes())
  const doubles = new Doubles((row) => stored[row] ?? new Uint8Array(0), reader, numbers.length)
  assert.equal(reader.at, directory.length)
  return numbers.map((_, at) => doubles.at(at))
}

test('numbers of any size are read as they were written', () => {
  for (const numbers of [
    [-3, 0, 7],
    [0.25, 1.5],
    [2 ** 52 - 1, 2 ** 52],
    [-(2 ** 52) - 1, -(2 ** 52)],
    [9007199254740990, 9007199254740991],
    [-9007199254740991, 9007199254740991],
    [5000000.123456789],
    [5e-324, 1.7976931348623157e308],
  ])
    assert.deepEqual(readBack(...numbers), numbers)
})
