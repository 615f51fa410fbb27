import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReadOptions, readRecords } from '../../input/read-records.ts'
import { textRow, workbookParts, zipOf } from './workbook.fixture.ts'

async function read(bytes: Buffer, options: ReadOptions = {}, name = 'x.xlsx') {
  const chunks = (async function* () {
    yield bytes
  })()
  const records: unknown[] = []
  const warnings: string[] = []
  const notes: string[] = []
  const onNote = (note: string) => void notes.push(note)
  for await (const result of readRecords({ name, bytes: chunks }, { ...options, onNote })) {
    records.push('record' in result ? [result.line, result.record] : result.fault)
    if ('record' in result) warnings.push(...(result.warnings ?? []))
  }
  return { records, warnings, notes }
}

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy;@"/>
<numFmt numFmtId="166" formatCode="[h]:mm:ss"/><numFmt numFmtId="167" formatCode="&quot;day &quot;0.00"/><numFmt numFmtId="168" formatCode="000\\-000"/></numFmts>
<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
<cellXfs>${[0, 164, 165, 14, 22, 18, 166, 167, 168].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs>`

test('numbers, dates, times and codes in a sheet are read as displayed', async () => {
  const cells: [style: number, value: string, text: string][] = [
    [0, '12.300000000000001', '12.3'],
    [0, '0.30000000000000004', '0.3'],
    [0, '12345678901234567890', '12345678901234567890'],
    [0, '1.5E-7', '1.5e-7'],
    [1, '1234', '01234'],
    [1, '123456', '123456'],
    [2, '45413', '2024-05-01'],
    [3, '45413.5', '2024-05-01T12:00:00'],
    [4, '45413.573263888888', '2024-05-01T13:45:30'],
    [3, '59', '1900-02-28'],
    [3, '61', '1900-03-01'],
    [3, '60', '60'],
    [3, '-1', '-1'],
    [5, '0.5', '12:00:00'],
    [6, '1.5', '36:00:00'],
    [7, '12.5', '12.5'],
    [8, '1234', '001-234'],
  ]
  const row = cells.map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`).join('')
  const names = cells.map((_, at) => `c${at}`)
  const book = zipOf(
    workbookParts({ S: `${textRow(1, ...names)}<row r="2">${row}</row>` }, { styles: STYLES }),
  )
  const { records } = await read(book)
  const [[, record] = []] = records as [number, Record<string, string>][]
  assert.deepEqual(
    Object.values(record ?? {}),
    cells.map(([, , text]) => text),
  )
})

test('a number has the percent sign, currency or unit that its format displays', async () => {
  const formats: [code: string, value: string, text: string][] = [
    ['0.0%', '0.06', '6%'],
    ['0.0\\ %', '0.285', '28.5 %'],
    ['0%', '7.0000000000000007E-2', '7%'],
    ['#,##0.00\\ &quot;€&quot;', '12.5', '12.5 €'],
    ['#,##0.00\\ &quot;€&quot;;[Red]-#,##0.00\\ &quot;€&quot;', '-12.5', '-12.5 €'],
    ['_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-', '1234.5', '1234.5 €'],
    ['_(&quot;$&quot;* #,##0.00_);_(&quot;$&quot;* \\(#,##0.00\\)', '-3', '-$3'],
    ['[$EUR] #,##0.00', '2', 'EUR 2'],
    ['0.0&quot; kg&quot;', '4', '4 kg'],
    // Without a unit: only a locale, an unknown word, a quoted percent sign, the blank of a sign, a scaled number.
    ['[$-409]#,##0.00', '4', '4'],
    ['&quot;about &quot;0', '4', '4'],
    ['0.0&quot;%&quot;', '6', '6%'],
    ['_-* #,##0.00\\ _€_-', '5', '5'],
    ['0.0,&quot;km&quot;', '5000', '5000'],
    ['0.0%&quot; p.a.&quot;', '0.06', '6%'],
  ]
  const own = formats.map(([code], at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`).join('')
  const styles = `<numFmts>${own}</numFmts><cellXfs>${formats.map((_, at) => `<xf numFmtId="${170 + at}"/>`).join('')}<xf numFmtId="10"/><xf numFmtId="44"/></cellXfs>`
  const builtin = ['0.0125', '3'].map((value, at) => `<c s="${formats.length + at}"><v>${value}</v></c>`)
  const cells = formats.map(([, value], at) => `<c s="${at}"><v>${value}</v></c>`)
  const names = [...cells, ...builtin].map((_, at) => `c${at}`)
  const rows = `${textRow(1, ...names)}<row r="2">${[...cells, ...builtin].join('')}</row>`
  const { records } = await read(zipOf(workbookParts({ S: rows }, { styles })))
  const [[, record] = []] = records as [number, Record<string, string>][]
  assert.deepEqual(Object.values(record ?? {}), [...formats.map(([, , text]) => text), '1.25%', '3'])
})

test('days are counted from 1904 if the workbook specifies that', async () => {
  const rows = `${textRow(1, 'a', 'b')}<row r="2"><c s="3"><v>43951</v></c><c><v>1</v></c></row>`
  const book = zipOf(workbookParts({ S: rows }, { styles: STYLES, properties: 'date1904="1"' }))
  assert.deepEqual((await read(book)).records, [[2, { a: '2024-05-01', b: '1' }]])
  const parts = workbookParts({ S: rows }, { styles: STYLES, properties: 'date1904="1"' })
  const extension =
    '<extLst><ext><x:workbookPr xmlns:x="urn:x" defaultImageDpi="96"/></ext></extLst></workbook>'
  const extended = {
    ...parts,
    'xl/workbook.xml': parts['xl/workbook.xml']?.replace('</workbook>', extension) ?? '',
  }
  assert.match(extended['xl/workbook.xml'], /x:workbookPr/)
  assert.deepEqual((await read(zipOf(extended))).records, [[2, { a: '2024-05-01', b: '1' }]])
})

test('strings may be shared or rich, booleans become words, and a formula yields its last value', async () => {
  const strings =
    '<si><t>Ä &amp; B</t></si><si><r><t>two </t></r><r><t xml:space="preserve">runs</t></r><rPh><t>reading</t></rPh></si><si><t>a_x000D_b</t></si>'
  const rows = `${textRow(1, 'a', 'b', 'c', 'd', 'e')}
    <row r="3"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="b"><v>1</v></c><c><f>1+1</f><v>2</v></c></row>`
  assert.deepEqual((await read(zipOf(workbookParts({ S: rows }, { strings })))).records, [
    [3, { a: 'Ä & B', b: 'two runs', c: 'a\rb', d: 'true', e: '2' }],
  ])
})

test('a cell with an error or an uncomputed formula is omitted and reported in a warning', async () => {
  const rows = `${textRow(1, 'a', 'b', 'c')}<row r="2"><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f>A1</f></c><c t="str"><f>""</f><v></v></c></row>`
  const { records, warnings } = await read(zipOf(workbookParts({ S: rows })))
  assert.deepEqual(records, [[2, { a: '', b: '', c: '' }]])
  assert.deepEqual(warnings, [
    '"a" holds the error #DIV/0!, which is left out',
    '"b" holds a formula without a value; save the file in a spreadsheet program',
  ])
})

test('a title row above the table is reported, and cells without a header are keyed by letter', async () => {
  const rows = `${textRow(1, 'Report')}${textRow(3, 'id', 'name')}${textRow(4, '1', 'a', 'more')}${textRow(6, '2', 'b')}`
  const { records, notes } = await read(zipOf(workbookParts({ S: rows })))
  assert.deepEqual(records, [
    [4, { id: '1', name: 'a', C: 'more' }],
    [6, { id: '2', name: 'b' }],
  ])
  assert.deepEqual(notes, ['x.xlsx, sheet "S": left out: 1 row (1) above the header'])
})

test('a header may be over two rows, also if its merged cell begins in a hidden column', async () => {
  const rows = `${textRow(1, 'Report', 'x')}${textRow(3, 'id', 'Q1', '', 'Q2')}${textRow(4, '', 'Cost', 'Gain', 'Cost')}
    ${textRow(5, '1', '2', '3', '4')}${textRow(6, '2', '2', '3', '4')}${textRow(7, 'Total', '4', '6', '8')}${textRow(9, 'Note')}`
  const cols = '<col min="2" max="2" hidden="1"/>'
  const options: ReadOptions = { header: [3, 4], until: 'Total', except: { id: '2' } }
  const { records, notes } = await read(zipOf(workbookParts({ S: { rows, cols } })), options)
  assert.deepEqual(records, [[5, { id: '1', 'Q1 Gain': '3', 'Q2 Cost': '4' }]])
  assert.deepEqual(notes, [
    'x.xlsx, sheet "S": left out: 2 rows (7, 9) from "Total" on; 1 row (6) whose id is "2"; 1 row (1) above the header',
    'x.xlsx, sheet "S": hidden, and left out: 1 column (Q1 Cost). To take hidden rows and columns, say hidden: include',
  ])
  await assert.rejects(read(zipOf(workbookParts({ S: rows })), { header: 2 }), {
    name: 'SourceFault',
    message: 'x.xlsx, sheet "S": there is no header in row 2. Name its row, such as header: 1.',
  })
})

test('a table ends at the first empty row, and hidden rows are none', async () => {
  const hidden = (row: number) => `<row r="${row}" hidden="1"/>`
  const rows = `${textRow(1, 'a', 'b')}${textRow(3, '1', '2')}${hidden(4)}
    ${textRow(5, 'x', 'y').replace('<row ', '<row hidden="1" ')}${textRow(6, '3', '4')}${hidden(8)}${textRow(9, '5', '6')}`
  const book = zipOf(workbookParts({ S: rows }))
  const linesOf = async (options: ReadOptions) =>
    (await read(book, options)).records.map((record) => (record as [number])[0])
  assert.deepEqual(await linesOf({ until: '' }), [3, 6])
  assert.deepEqual(await linesOf({ until: '', hidden: 'include' }), [3, 5, 6])
  assert.deepEqual(await linesOf({}), [3, 6, 9])
})

test('a sheet is selected by name, which is required if several sheets have cells', async () => {
  const rows = textRow(1, 'id', 'n') + textRow(2, '1', 'x')
  const book = zipOf(
    workbookParts({ One: rows, Two: rows.replace('x', 'y'), None: '', Old: { rows, state: 'hidden' } }),
  )
  assert.deepEqual((await read(book, { sheet: 'Two' })).records, [[2, { id: '1', n: 'y' }]])
  await assert.rejects(read(book), {
    name: 'SourceFault',
    message: 'x.xlsx: several sheets hold something: One, Two. Name one in the definition, as sheet: "One".',
  })
  await assert.rejects(
    read(book, { sheet: 'Three' }),
    /there is no sheet "Three"; the sheets are One, Two, None, Old\.$/,
  )
  await assert.rejects(read(book, { sheet: 'One', columns: ['id', 'no'] }), /there is no column "no"/)
})

/** A sheet with hidden columns C, D and F, and with rows that its author or a filter has hidden. */
const COSTS = {
  cols: '<col min="1" max="2" width="9"/><col min="3" max="4" width="9" hidden="1"/><col min="6" max="6" width="0"/>',
  rows: `<row r="1" hidden="true"><c t="inlineStr"><is><t>Draft</t></is></c></row>
    ${textRow(2, 'id', 'name', 'cost', '', 'price', '')}
    ${textRow(3, '1', 'Spoon', '2', 'cheap', '9')}
    <row r="4" hidden="1">${textRow(4, '2', 'Fork', '3').replace(/<.?row[^>]*>/g, '')}</row>
    <row r="5" hidden="1"><c t="inlineStr"><is><t>3</t></is></c></row>
    <row r="6" hidden="1"/>
    <row r="7" ht="0" customHeight="1"><c t="inlineStr"><is><t>4</t></is></c></row>
    ${textRow(8, '5', 'Knife', '4', '', '8', 'secret')}`,
}

test('hidden rows and columns are left out and noted with their numbers and names', async () => {
  const { records, notes } = await read(zipOf(workbookParts({ S: COSTS })))
  assert.deepEqual(records, [
    [3, { id: '1', name: 'Spoon', price: '9' }],
    [8, { id: '5', name: 'Knife', price: '8' }],
  ])
  assert.deepEqual(notes, [
    'x.xlsx, sheet "S": hidden, and left out: 4 rows (1, 4-5, 7); 3 columns (cost, D, F). To take hidden rows and columns, say hidden: include',
  ])
})

test('hidden: include takes hidden rows, columns and sheets, and notes none of them', async () => {
  const sheets = workbookParts({ S: { ...COSTS, state: 'veryHidden' }, Empty: '' })
  const { records, notes } = await read(zipOf(sheets), { hidden: 'include' })
  assert.equal(records.length, 5)
  assert.deepEqual(records[1], [4, { id: '2', name: 'Fork', cost: '3', price: '' }])
  assert.deepEqual(records.at(-1), [8, { id: '5', name: 'Knife', cost: '4', price: '8', F: 'secret' }])
  assert.deepEqual(notes, ['x.xlsx, sheet "S": left out: 1 row (1) above the header'])
})

test('a definition that names a hidden column is told so', async () => {
  await assert.rejects(read(zipOf(workbookParts({ S: COSTS })), { columns: ['id', 'cost'] }), {
    name: 'SourceFault',
    message:
      'x.xlsx, sheet "S": the column "cost" is hidden. To take hidden rows and columns, say hidden: include.',
  })
})

test('a note names at most ten hidden rows and columns, and counts all', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, at) => `<row r="${2 * at + 3}" hidden="1"><c><v>1</v></c></row>`,
  )
  const book = zipOf(workbookParts({ S: { rows: textRow(1, 'a', 'b') + rows.join('') } }))
  const { records, notes } = await read(book)
  assert.deepEqual(records, [])
  assert.match(notes[0] ?? '', /: 12 rows \(3, 5, 7, 9, 11, 13, 15, 17, 19, 21, …\)\. To take/)
})

test('hidden and very hidden sheets are noted, and read if they are named', async () => {
  const rows = textRow(1, 'id', 'n') + textRow(2, '1', 'x')
  const book = { Old: { rows, state: 'hidden' }, Codes: { rows, state: 'veryHidden' } }
  const note = 'hidden sheets, read only if a source names them: 2, Old (hidden), Codes (very hidden)'
  const { records, notes } = await read(zipOf(workbookParts({ S: rows, ...book })))
  assert.deepEqual([records.length, notes], [1, [`x.xlsx: ${note}`]])
  assert.equal((await read(zipOf(workbookParts({ S: rows, ...book })), { sheet: 'Codes' })).records.length, 1)
  await assert.rejects(read(zipOf(workbookParts({ S: '', T: '', ...book }))), {
    message: `x.xlsx: no sheet holds anything. ${note}.`,
  })
})

test('a part that decompresses to more than its declared or maximum size is refused', async () => {
  const parts = workbookParts({ S: textRow(1, 'a', 'b') })
  const strings = 'xl/sharedStrings.xml'
  await assert.rejects(read(zipOf(parts, { [strings]: 5 })), {
    name: 'SourceFault',
    message: /the file is damaged/,
  })
  await assert.rejects(
    read(zipOf(parts, { [strings]: 600 * 1024 * 1024 })),
    /unpacks to more than 536870912 bytes/,
  )
  const endless = { ...parts, 'xl/worksheets/sheet1.xml': `<worksheet>${' '.repeat(17 * 1024 * 1024)}` }
  await assert.rejects(read(zipOf(endless)), /characters without a tag/)
  const entities = {
    ...parts,
    'xl/worksheets/sheet1.xml': '<!DOCTYPE x [<!ENTITY a "b">]><worksheet>&a;</worksheet>',
  }
  await assert.rejects(read(zipOf(entities)), { name: 'SourceFault', message: /the sheet "S" is damaged/ })
  await assert.rejects(read(zipOf(parts).subarray(0, 300)), { name: 'SourceFault', message: /damaged/ })
})

test('zip files of other types are refused with a message that names the type', async () => {
  const refused: [part: string, message: RegExp][] = [
    ['content.xml', /OpenDocument file \(\.ods\)/],
    ['word/document.xml', /Word document/],
    ['xl/workbook.bin', /binary workbook \(\.xlsb\)/],
    ['data.csv', /a zip file and no workbook\. Unpack it/],
  ]
  for (const [part, message] of refused)
    await assert.rejects(read(zipOf({ [part]: 'x' }), {}, 'x.csv'), { name: 'SourceFault', message })
})
