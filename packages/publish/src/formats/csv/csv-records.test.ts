import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ReadOptions, readRecords } from '../../input/read-records.ts'

async function read(content: string | Uint8Array, name = 'x.csv', options: ReadOptions = {}) {
  const bytes = Buffer.from(content)
  const found: [line: number, what: unknown][] = []
  const chunks = (async function* () {
    for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7)
  })()
  for await (const result of readRecords({ name, bytes: chunks }, options)) {
    found.push([result.line, 'record' in result ? result.record : result.fault.reason])
  }
  return found
}

test('a table yields its rows, keyed by column name, with the line on which each row begins', async () => {
  const text = '\ufeffid,name\r\n1,"Io, moon"\r\n\r\n2,"two\r\nlines"\r\n3,""""\r\n'
  assert.deepEqual(await read(text), [
    [2, { id: '1', name: 'Io, moon' }],
    [4, { id: '2', name: 'two\r\nlines' }],
    [6, { id: '3', name: '"' }],
  ])
})

test('the delimiter and quote are detected even if cells contain other delimiters and quotes', async () => {
  const expected = [
    [2, { id: '1', text: 'a, b, c; d' }],
    [3, { id: '2', text: 'x|y' }],
  ]
  assert.deepEqual(await read('id;text\n1;"a, b, c; d"\n2;x|y\n'), expected)
  assert.deepEqual(await read('id\ttext\n1\ta, b, c; d\n2\tx|y\n', 'x.txt'), expected)
  assert.deepEqual(await read('id|text\n1|a, b, c; d\n2|"x|y"\n'), expected)
  assert.deepEqual(await read("id,text\n1,'a, b, c; d'\n2,x|y\n"), expected)
  assert.deepEqual(await read('id\ttext\n1\ta, b, c; d\n2\tx|y\n', 'x.tsv'), expected)
  assert.deepEqual(await read('id#text\n1#a, b, c; d\n2#x|y\n', 'x.csv', { delimiter: '#' }), expected)
})

test('a row with the wrong number of cells or broken quotes is a fault, and other rows are read', async () => {
  assert.deepEqual(await read('a,b\n1\n1,2,3\n1,"2"x\n1,2"2\n5,6\n'), [
    [2, 'required'],
    [3, 'too_many'],
    [4, 'malformed'],
    [5, 'malformed'],
    [6, { a: '5', b: '6' }],
  ])
})

test('blank rows are skipped, regardless of their delimiters', async () => {
  assert.deepEqual(await read('a;b\n;\n1;2\n;;;\n ; \n'), [[3, { a: '1', b: '2' }]])
})

test('an unclosed quote fails the source instead of swallowing the remaining rows', async () => {
  await assert.rejects(read('a,b\n1,"2\n3,4\n'), {
    name: 'SourceFault',
    message: /x\.csv:2: a quote is opened/,
  })
})

test('a broken quote is reported on the line on which it is opened', async () => {
  const readAtOnce = (text: string) =>
    Array.fromAsync(readRecords({ name: 'x.csv', bytes: Readable.from([Buffer.from(text)]) }))
  const rows = '5,6\r\n'.repeat(40)
  await assert.rejects(readAtOnce(`a,b\r\n1,"two\r\nlines"\r\n${rows}"one\r\ncell","2\r\n${rows}`), {
    message:
      'x.csv:45: a quote is opened and never closed; close it, or write it twice in a quoted cell. Nothing of it was loaded.',
  })
  await assert.rejects(readAtOnce('a,b\nx"y,"2'), { message: /^x\.csv:2: a quote is opened/ })
  await assert.rejects(readAtOnce(`a,b\n1,2\n3,"${'4\n'.repeat(600_000)}`), {
    message:
      'x.csv:3: a row is longer than 1048576 bytes, perhaps because a quote is not closed; close it. Nothing of it was loaded.',
  })
  const [, ...rest] = await readAtOnce('a,b\r\n1,"two\r\nlines"\r\n1,"2\r\n3,4\r\n5,"x"\r\n6,7\r\n')
  const message =
    'text follows a closing quote on line 6, so that the rows between are lost in one cell; a quote inside a quoted cell is written twice, and one at its end closes it'
  assert.deepEqual(rest, [
    { line: 4, fault: { pointer: '', reason: 'malformed', message } },
    { line: 7, record: { a: '6', b: '7' }, cells: true },
  ])
})

test('title rows above a table are left out and noted', async () => {
  const text = 'Towns of 2023;;\n;;\ntown;people;share\nUlm;126.000;1,5\nTrier;112.000;2\n'
  assert.deepEqual(await read(text), [
    [4, { town: 'Ulm', people: '126.000', share: '1,5' }],
    [5, { town: 'Trier', people: '112.000', share: '2' }],
  ])
  assert.deepEqual(await read('Towns\n\na,b\nx,1\n'), [[4, { a: 'x', b: '1' }]])
  assert.deepEqual(await read('sep=;\r\na;b\r\n1,5;x\r\n'), [[3, { a: '1,5', b: 'x' }]])
  // Text that may itself be a table is read as one.
  assert.deepEqual(await read('a,\nx,1\n'), [[2, { a: 'x', 'column 2': '1' }]])
  assert.deepEqual(await read('a\nx,1\n'), [[2, 'too_many']])
  assert.deepEqual(await notesOf(text), ['x.csv: left out: 2 rows (1-2) above the header'])
  assert.deepEqual(await notesOf('a,b\n1,2\n'), [])
})

async function notesOf(text: string, options: ReadOptions = {}) {
  const notes: string[] = []
  await read(text, 'x.csv', { ...options, onNote: (note) => void notes.push(note) })
  return notes
}

const QUARTERS = `Report "2024"
x,y
Region,Q1,,Q2,
,Revenue,Cost,Revenue,Cost
North,1,2,3,4

South,1,2
Total,1,2,3,4
Source: us
`

test('the header is in the row, or the two rows, that the options name, and rows above it are left out', async () => {
  const north = {
    Region: 'North',
    'Q1 Revenue': '1',
    'Q1 Cost': '2',
    'Q2 Revenue': '3',
    'Q2 Cost': '4',
  }
  const until = 'Total'
  assert.deepEqual(await read(QUARTERS, 'x.csv', { header: [3, 4], until }), [
    [5, north],
    [7, 'required'],
  ])
  assert.deepEqual(await notesOf(QUARTERS, { header: [3, 4], until }), [
    'x.csv: left out: 2 rows (8-9) from "Total" on; 2 rows (1-2) above the header',
  ])
  await assert.rejects(read(QUARTERS, 'x.csv', { header: 4 }), /x\.csv:4: two columns are called "Revenue"/)
  const one = [[3, { a: '1', b: '2' }]]
  assert.deepEqual(await read('x,y,z\na;b\n1;2\n', 'x.csv', { header: 2 }), one)
  assert.deepEqual(await read('x\na,b\n1,2\n', 'x.csv', { skip: 1 }), one)
  assert.deepEqual(await read('x\n,,\n\na,b\n1,2\n', 'x.csv', { skip: 1 }), [[5, { a: '1', b: '2' }]])
  assert.deepEqual(await read('"x\ny",z\na,b\n1,2\n', 'x.csv', { header: 3 }), [[4, { a: '1', b: '2' }]])
})

test('a missing header fails the source', async () => {
  const message = 'x.csv: there is no header in row 2. Name its row, such as header: 1.'
  for (const text of ['a,b\n\n1,2\n', 'a,b\n,\n1,2\n', 'a,b\n', ''])
    await assert.rejects(read(text, 'x.csv', { header: 2 }), { name: 'SourceFault', message })
  await assert.rejects(read('a,b\n1,2\n', 'x.csv', { skip: 2 }), /no header below the rows of skip/)
})

test('a table ends at a row, or at the first empty row below a record, and leaves rows out by their values', async () => {
  const text = 'a,b\n\nx,1\nTotal,1\ny,Total\n;\n ,\nx,2\nnote\n"'
  const whole = text.slice(0, -1)
  assert.deepEqual(await read(whole, 'x.csv', { until: '' }), [
    [3, { a: 'x', b: '1' }],
    [4, { a: 'Total', b: '1' }],
    [5, { a: 'y', b: 'Total' }],
    [6, 'required'],
  ])
  assert.deepEqual(await notesOf(whole, { until: '' }), [
    'x.csv: left out: 2 rows (8-9) below the first empty row',
  ])
  assert.deepEqual(
    (await read(whole, 'x.csv', { except: { a: 'x', b: 'Total' } })).map(([line]) => line),
    [4, 6, 9],
  )
  assert.deepEqual(await notesOf(whole, { except: { a: 'x', b: 'total' }, until: 'Sum' }), [
    'x.csv: left out: 0 rows from "Sum" on; 2 rows (3, 8) whose a is "x"; 0 rows whose b is "total"',
  ])
  await assert.rejects(read(whole, 'x.csv', { except: { c: 'x' } }), {
    name: 'SourceFault',
    message: 'x.csv:1: there is no column "c"; the columns are a, b.',
  })
  assert.deepEqual(
    (await read('a,b\n1,2\nEnd,\n1,2"3\n', 'x.csv', { until: 'End' })).map(([line]) => line),
    [2],
  )
})

test('an option that the format does not have fails the source', async () => {
  await assert.rejects(read('a,b\n1,2\n', 'x.csv', { hidden: 'include' }), {
    name: 'SourceFault',
    message: 'x.csv: hidden does not apply to CSV. Remove it.',
  })
  await assert.rejects(read('{}', 'x.ndjson', { until: 'x' }), /x\.ndjson: until does not apply to NDJSON/)
})

test('an unnamed column is named by its number, and duplicate column names are refused', async () => {
  assert.deepEqual(await read(',b,\n1,2,3\n'), [[2, { 'column 1': '1', b: '2', 'column 3': '3' }]])
  await assert.rejects(read('a,b,a\n1,2,3\n'), {
    name: 'SourceFault',
    message: 'x.csv:1: two columns are called "a", 1 and 3. Give one of them another name.',
  })
})

test('a table without a required column is refused before its first row, with a list of its columns', async () => {
  await assert.rejects(read('id,titel\n1,Io\n', 'x.csv', { columns: ['id', 'title'] }), {
    name: 'SourceFault',
    message: 'x.csv:1: there is no column "title"; the columns are id, titel.',
  })
  await assert.rejects(
    read('id\n', 'x.tsv', { columns: ['no', 'id', 'nor'] }),
    /there are no columns "no", "nor"; the only column is id\.$/,
  )
  assert.deepEqual(await read('id,title\n1,Io\n', 'x.csv', { columns: ['title'] }), [
    [2, { id: '1', title: 'Io' }],
  ])
})

test('a table in another encoding fails with an error that names the line', async () => {
  const latin = Buffer.from('id,name\n1,Io\n2,Caf\u00e9\n', 'latin1')
  await assert.rejects(read(latin), { name: 'SourceFault', message: /^x\.csv:3: this is not UTF-8/ })
})

test('a table may be gzipped or empty, or contain only a header or a column called __proto__', async () => {
  assert.deepEqual(await read(gzipSync('id\n1\n'), 'x.csv.gz'), [[2, { id: '1' }]])
  assert.deepEqual(await read(''), [])
  assert.deepEqual(await read('id,name\n'), [])
  const [[, record] = []] = await read('id,__proto__\n1,x\n')
  assert.equal(JSON.stringify(record), '{"id":"1","__proto__":"x"}')
})

test('YAML yields the elements of a list or of an "entities" list, or else its documents', async () => {
  const expected = [{ id: 'io' }, { id: 'europa' }]
  const records = async (text: string) => (await read(text, 'x.yaml')).map(([, record]) => record)
  assert.deepEqual(await records('- id: io\n- id: europa\n'), expected)
  assert.deepEqual(await records('entities:\n  - id: io\n  - id: europa\n'), expected)
  assert.deepEqual(await records('id: io\n---\nid: europa\n'), expected)
  assert.deepEqual(await read('- id: io\n- id: a\n  id: b\n', 'x.yml'), [[3, 'malformed']])
})

test('a recursive or dangling alias affects only its record, and the fault has its line', async () => {
  const text = '- &a\n  id: a\n  more:\n    self: *a\n- id: b\n  other: *none\n- id: c\n'
  assert.deepEqual(await read(text, 'x.yaml'), [
    [4, 'malformed'],
    [6, 'malformed'],
    [7, { id: 'c' }],
  ])
  assert.deepEqual(await read('---\nid: &i [*i]\n---\n', 'x.md'), [[2, 'malformed']])
})

test('aliases expand to their anchors, including across records, up to a limit', async () => {
  const shared = '- id: a\n  at: &p { x: 1 }\n- id: b\n  at: *p\n'
  assert.deepEqual((await read(shared, 'x.yaml'))[1], [3, { id: 'b', at: { x: 1 } }])
  const levels = Array.from({ length: 12 }, (_, level) => {
    const below = level === 0 ? 'ha' : `*l${level - 1}`
    return `l${level}: &l${level} [${Array(10).fill(below).join(', ')}]`
  })
  assert.deepEqual(await read(`id: laughs\n${levels.join('\n')}\n`, 'x.yaml'), [[8, 'malformed']])
})

test('aliases in many records do not multiply the cost', async () => {
  const rows = Array.from({ length: 4_000 }, (_, at) => `- { id: r${at}, at: *p }`)
  const started = process.cpuUsage()
  assert.equal((await read(`- &p { id: p }\n${rows.join('\n')}\n`, 'x.yaml')).length, 4_001)
  const { user } = process.cpuUsage(started)
  const plain = process.cpuUsage()
  await read(`- { id: p }\n${rows.join('\n').replaceAll('*p', 'yp')}\n`, 'x.yaml')
  assert.ok(user < 10 * process.cpuUsage(plain).user)
})

test('a YAML key must be a scalar and must not be repeated', async () => {
  assert.deepEqual(await read('? [a]\n: 1\n', 'x.yaml'), [[1, 'malformed']])
  assert.deepEqual(await read('id: a\n1: x\n"1": y\n', 'x.yaml'), [[3, 'malformed']])
})

test('a Markdown file is a record with its front matter, the title from its heading, and its text', async () => {
  const text = '---\ntype: sol:moon\nradiusKm: 1560.8\n---\n\n# Europa\n\nIce.\n'
  assert.deepEqual(await read(text, 'moons/europa.md'), [
    [1, { id: 'europa', title: 'Europa', type: 'sol:moon', radiusKm: 1560.8, text: '# Europa\n\nIce.' }],
  ])
  assert.deepEqual(await read('Just text.\n', 'a.md'), [[1, { id: 'a', text: 'Just text.' }]])
  assert.deepEqual(await read('---\na: [\n---\n', 'a.md'), [[2, 'malformed']])
  assert.deepEqual(await read('---\ntext: mine\n---\n', 'a.md'), [[1, { id: 'a', text: 'mine' }]])
  assert.deepEqual(await read('---\ntext: mine\n---\nBody\n', 'a.md'), [[1, 'not_allowed']])
})
