import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { wholeRows } from './whole-rows.ts'

/** Returns the offsets at which rows of a table begin, and its end. */
function boundariesOf(text: string): Set<number> {
  const ends = parse(text, { info: true }) as unknown as { info: { bytes: number } }[]
  return new Set([0, ...ends.map(({ info }) => info.bytes)])
}

/** Reads pieces of a table, each from another byte on. Returns the share of those that were understood. */
function readPieces(text: string, size: number): number {
  const bytes = Buffer.from(text)
  const boundaries = boundariesOf(text)
  const rowsIn = wholeRows(bytes, {})
  const [, firstEnd = 0] = rowsIn(bytes.subarray(0, size)) ?? []
  assert.ok(firstEnd > 0 && boundaries.has(firstEnd))
  const pieces = Array.from({ length: 120 }, (_, at) => 3 + 41 * at)
  const ranges = pieces.flatMap((at) => {
    const range = rowsIn(bytes.subarray(at, at + size))
    for (const edge of range ?? []) assert.ok(boundaries.has(at + edge), `no row begins at ${at} + ${edge}`)
    return range ? [range] : []
  })
  return ranges.length / pieces.length
}

const ROWS = Array.from({ length: 400 }, (_, at) => at)

test('rows in a piece are found wherever it begins, also within quotes over several lines', () => {
  const quoted = ROWS.map((at) => `${at},"say ""${at}"",\r\nand\nmore",${at % 7},é\n`)
  assert.ok(readPieces(`id,note,n,sign\n${quoted.join('')}`, 900) > 0.7)
  const all = ROWS.map((at) => `"${at}","note, ${at}","${at % 7}"\n`)
  assert.ok(readPieces(`"id","note","n"\n${all.join('')}`, 700) > 0.9)
  const plain = ROWS.map((at) => `${at};text ${at};${at % 7}\r\n`)
  assert.ok(readPieces(`id;note;n\r\n${plain.join('')}`, 500) > 0.9)
})

test('a piece of an uncertain or broken table is left out, and none is misread', () => {
  // Read as if outside quotes, each cell is a table as well.
  const inner = ROWS.slice(0, 40).map((at) => `${at},b,c`)
  const nested = ROWS.slice(0, 30).map((at) => `${at},"${inner.join('\n')}",z\n`)
  readPieces(`id,table,n\n${nested.join('')}`, 300)
  const rowsIn = wholeRows(Buffer.from('id,size\n'), {})
  assert.deepEqual(rowsIn(Buffer.from('id,size\n1,2\n2,3\n3,4\n')), [0, 16])
  assert.equal(rowsIn(Buffer.from('x\n7,5" disk\n8,3\n9,4\n10,5\n')), undefined)
  assert.equal(rowsIn(Buffer.from('x\n7,5\n8,3,9\n9,4\n10,5\n')), undefined)
  assert.equal(rowsIn(Buffer.from('no line end')), undefined)
  const single = wholeRows(Buffer.from('id\n'), {})
  assert.deepEqual(single(Buffer.from('id\n1\n2\n')), [0, 5])
  assert.equal(single(Buffer.from('1\n2\n3\n4\n5\n')), undefined)
})
