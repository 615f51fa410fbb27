import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readRecords } from '../../input/read-records.ts'

const read = (text: string) =>
  Array.fromAsync(readRecords({ name: 'x.csv', bytes: Readable.from([Buffer.from(text)]) }))

/** Returns the lines and faults of a table. */
const told = async (text: string) =>
  (await read(text)).flatMap((one) => ('fault' in one ? [`${one.line} ${one.fault.message}`] : []))

/** Returns the lines and records of a table. */
const rows = async (text: string) =>
  (await read(text)).map((one) => [one.line, 'record' in one ? one.record : one.fault.reason])

test('the fault of a row says what to do', async () => {
  assert.deepEqual(await told('a,b\n1\n1,2,3\n'), [
    '2 1 cell under 2 columns; add the others, even if empty',
    '3 3 cells under 2 columns; put a cell that holds the delimiter in quotes',
  ])
  const [further] = await told('Report\n\nid,name\n1,Io,\n2,Europa,\n')
  assert.match(further ?? '', /^3 2 cells under 1 column; .*, or say header: if it is further down$/)
  const [quote] = await told('a,b\n1, "x"\n')
  assert.match(quote ?? '', /^2 a quote stands inside .*; remove spaces before it, or put the cell in quotes/)
})

test('spaces are the delimiter of a table of numbers, and of no other text', async () => {
  assert.deepEqual(await rows('n speed dir\n1 2.5 -3\n2 NA 1e3\n'), [
    [2, { n: '1', speed: '2.5', dir: '-3' }],
    [3, { n: '2', speed: 'NA', dir: '1e3' }],
  ])
  assert.deepEqual(await rows('people total\n1 234\n12 34\n'), [
    [2, { 'people total': '1 234' }],
    [3, { 'people total': '12 34' }],
  ])
  assert.deepEqual(await rows('x y\n1 2\n3 4.5\n'), [
    [2, { x: '1', y: '2' }],
    [3, { x: '3', y: '4.5' }],
  ])
  const words = 'name of moon\nIo is hot\nEuropa is cold\n'
  assert.deepEqual(await rows(words), [
    [2, { 'name of moon': 'Io is hot' }],
    [3, { 'name of moon': 'Europa is cold' }],
  ])
  assert.deepEqual(await rows('a b c\n1 2 3\n1 2\n'), [
    [2, { 'a b c': '1 2 3' }],
    [3, { 'a b c': '1 2' }],
  ])
  assert.deepEqual(await rows('Phone number\n0664 1234567\n0665 223344\n'), [
    [2, { 'Phone number': '0664 1234567' }],
    [3, { 'Phone number': '0665 223344' }],
  ])
  assert.deepEqual(await rows('date year\n2020-01-01 2020\n2021-01-01 2021\n'), [
    [2, { 'date year': '2020-01-01 2020' }],
    [3, { 'date year': '2021-01-01 2021' }],
  ])
})

test('spaces before quotes are left out if no row can be read with them', async () => {
  const notes: string[] = []
  const text = 'name,   medal,  time\n"Bolt", "GOLD", 9.63\n"Blake, Y. "  , "SILVER", 9.75\n'
  const bytes = Readable.from([Buffer.from(text)])
  const found = await Array.fromAsync(
    readRecords({ name: 'x.csv', bytes }, { onNote: (note) => notes.push(note) }),
  )
  assert.deepEqual(
    found.map((one) => 'record' in one && one.record),
    [
      { name: 'Bolt', medal: 'GOLD', time: '9.63' },
      { name: 'Blake, Y. ', medal: 'SILVER', time: '9.75' },
    ],
  )
  assert.deepEqual(notes, ['x.csv: spaces around cells are left out, as quotes follow them'])
  assert.deepEqual(await rows('a,b\n1, "x"\n2, y\n'), [
    [2, 'malformed'],
    [3, { a: '2', b: ' y' }],
  ])
})

test('a header may end with a delimiter that no row has', async () => {
  const text = 'Series: 7\n\nid,year,\na,1990\nb,1991\n'
  assert.deepEqual(await rows(text), [
    [4, { id: 'a', year: '1990', 'column 3': '' }],
    [5, { id: 'b', year: '1991', 'column 3': '' }],
  ])
  // A filled cell below the end of the header, after rows that have none, is due to an unquoted delimiter.
  const many = 'id,year,\n'.concat('a,1990\n'.repeat(20))
  assert.deepEqual((await rows(`${many}b,c,1991\nd,1992,\n`)).slice(-2), [
    [22, 'too_many'],
    [23, { id: 'd', year: '1992', 'column 3': '' }],
  ])
  assert.match((await told(`${many}b,c,1991\n`)).join(), /^22 3 cells under 2 columns; put a cell/)
  assert.deepEqual(await rows('id,year,\na,1990,x\nb,1991\n'), [
    [2, { id: 'a', year: '1990', 'column 3': 'x' }],
    [3, 'required'],
  ])
})
