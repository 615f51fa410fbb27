import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { memoryOutput } from '../../../cli/src/memory-io.fixture.ts'
import { pairLines, tableLines } from './output.ts'
import { cutTo, widthOf } from './width.ts'

test('a table is not truncated if the output is not a terminal', () => {
  const long = 'x'.repeat(300)
  assert.deepEqual(
    tableLines(
      memoryOutput().stream,
      ['ID', 'TITLE'],
      [
        ['a', long],
        ['bcd', 'T'],
      ],
    ),
    ['ID   TITLE', `a    ${long}`, 'bcd  T'],
  )
})

test('a table fits the terminal even if it contains wide characters', () => {
  const rows = [['europa', '漢字'.repeat(40), 'short']]
  const lines = tableLines(memoryOutput(40).stream, ['ID', 'TITLE', 'X'], rows).map(stripVTControlCharacters)
  assert.deepEqual(
    lines.map((line) => widthOf(line) <= 40),
    [true, true],
  )
  assert.match(lines[1] ?? '', /^europa {2}(漢字)+漢?… +short$/)
})

test('line breaks in cells are escaped', () => {
  assert.deepEqual(tableLines(memoryOutput().stream, ['A'], [['x\n\u001b[1mY']]).slice(1), [
    'x\\n\\u001b[1mY',
  ])
  assert.deepEqual(pairLines(memoryOutput().stream, [['k\u0007', 'v\n']]), ['k\\u0007  v\\n'])
})

test('widthOf returns the number of terminal columns', () => {
  assert.deepEqual(['abc', 'e\u0301', '漢字', '👩‍🚀'].map(widthOf), [3, 1, 4, 2])
  assert.deepEqual([cutTo('abcdef', 4), cutTo('漢字漢', 4), cutTo('abc', 3)], ['abc…', '漢…', 'abc'])
})
