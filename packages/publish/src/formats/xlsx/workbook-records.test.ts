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
  for await (const result of readRecords({ name, bytes: chunks }, options)) {
    records.push('record' in result ? [result.line, result.record] : result.fault)
    if ('record' in result) warnings.push(...(result.warnings ?? []))
  }
  return { records, warnings }
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

test('days are counted from 1904 if the workbook specifies that', async () => {
  const rows = `${textRow(1, 'a', 'b')}<row r="2"><c s="3"><v>43951</v></c><c><v>1</v></c></row>`
  const book = zipOf(workbookParts({ S: rows }, { styles: STYLES, properties: 'date1904="1"' }))
  assert.deepEqual((await read(book)).records, [[2, { a: '2024-05-01', b: '1' }]])
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
  const { records, warnings } = await read(zipOf(workbookParts({ S: rows })))
  assert.deepEqual(records, [
    [4, { id: '1', name: 'a', C: 'more' }],
    [6, { id: '2', name: 'b' }],
  ])
  assert.deepEqual(warnings, ['row 1 stands above the table and is no record: "Report"'])
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
