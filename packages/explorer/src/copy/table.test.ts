import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredFields } from '@worldwright/extensions/shown'
import { markdownFrom, tsvFrom } from './table.ts'

const fields = declaredFields({
  properties: {
    massKg: { type: 'number' },
    tags: { type: 'array' },
    star: { type: 'object' },
    gone: { type: 'string' },
  },
})
const columns = { title: 'Title', fields }
const entities = [
  {
    type: 'a:b',
    id: '1',
    title: 'One\t|<b>*',
    attributes: { massKg: -5, tags: ['x', 2], star: { type: 'a:s', id: 'sun' } },
  },
  { type: 'a:b', id: '=1+1', attributes: { star: { deep: true }, tags: null, gone: '@x\ny' } },
  { type: 'a:b', id: '3', title: '"A" to B', attributes: { gone: '5"' } },
]

test('rows are copied as TSV, without text that a spreadsheet would run as a formula', () => {
  assert.deepEqual(tsvFrom(entities, columns).split('\n'), [
    'Title\tMass (kg)\tTags\tStar\tGone',
    'One |<b>*\t-5\tx; 2\tsun\t',
    '\'=1+1\t\t\t{"deep":true}\t\'@x y',
    '"""A"" to B"\t\t\t\t5"',
    '',
  ])
})

test('rows are copied as a Markdown table, in which no value is markup', () => {
  assert.deepEqual(markdownFrom(entities, columns).split('\n'), [
    '| Title | Mass (kg) | Tags | Star | Gone |',
    '| --- | --- | --- | --- | --- |',
    '| One \\|\\<b\\>\\* | -5 | x; 2 | sun |  |',
    '| =1+1 |  |  | {"deep":true} | @x y |',
    '| "A" to B |  |  |  | 5" |',
    '',
  ])
})
