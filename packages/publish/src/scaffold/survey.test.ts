import assert from 'node:assert/strict'
import { test } from 'node:test'
import { surveyOf } from './survey.ts'

/** Yields rows of a table with one column, whose last cell is `last`. */
async function* rows(last: string) {
  for (let line = 2; line <= 10_010; line++) {
    const n = line === 10_010 ? last : line === 5 ? 'NA' : String(line)
    yield { line, record: { n, day: '2024-01-05' }, cells: true as const }
  }
}

test('placeholders are counted in all records, even beyond the sample from which types are proposed', async () => {
  const { columns } = await surveyOf(rows('n/a'))
  const n = columns.get('n') ?? assert.fail()
  assert.equal(n.proposal.type, 'integer')
  assert.deepEqual(
    [...n.gaps],
    [
      ['NA', 1],
      ['n/a', 1],
    ],
  )
  assert.deepEqual([...(columns.get('day')?.gaps ?? assert.fail())], [])
})

test('a later cell that is neither a number nor a placeholder makes the column text, which has no placeholders', async () => {
  const { columns } = await surveyOf(rows('many'))
  const n = columns.get('n') ?? assert.fail()
  assert.deepEqual(
    [n.proposal.type, [...n.gaps], n.refutedBy],
    ['string', [], { cell: 'many', line: 10_010 }],
  )
})
