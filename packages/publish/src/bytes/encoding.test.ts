import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ReadOptions, readRecords } from '../input/read-records.ts'

async function read(content: string | Uint8Array, name = 'x.csv', options: ReadOptions = {}) {
  const bytes = (async function* () {
    yield Buffer.from(content)
  })()
  const found: unknown[] = []
  for await (const result of readRecords({ name, bytes }, options))
    found.push('record' in result ? result.record : result.fault.message)
  return found
}

const TEXT = 'id,name\n1,Zo\u00eb Brönte\n2,Stra\u00dfe in K\u00f6ln\n3,na\u00efve \u00e0 Paris\n'
const RECORDS = [
  { id: '1', name: 'Zo\u00eb Brönte' },
  { id: '2', name: 'Stra\u00dfe in K\u00f6ln' },
  { id: '3', name: 'na\u00efve \u00e0 Paris' },
]

test('text is read in the encoding named by the definition or a byte order mark', async () => {
  const latin = Buffer.from(TEXT, 'latin1')
  assert.deepEqual(await read(latin, 'x.csv', { encoding: 'windows-1252' }), RECORDS)
  assert.deepEqual(await read(Buffer.from(`\ufeff${TEXT}`, 'utf16le')), RECORDS)
  assert.deepEqual(await read(Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()), RECORDS)
  assert.deepEqual(await read(Buffer.from('[{"id":"é"}]', 'utf16le'), 'x.json', { encoding: 'utf-16le' }), [
    { id: 'é' },
  ])
  const euro = Buffer.concat([Buffer.from('id,price\n1,'), Buffer.from([0x80, 0x35]), Buffer.from('\n')])
  assert.deepEqual(await read(euro, 'x.csv', { encoding: 'windows-1252' }), [{ id: '1', price: '€5' }])
})

test('text that is not UTF-8 is refused with its likely encoding and a sample word', async () => {
  await assert.rejects(read(Buffer.from(TEXT, 'latin1')), {
    name: 'SourceFault',
    message:
      'x.csv:2: this is not UTF-8. It may be windows-1252, in which it says "Zo\u00eb": say encoding: windows-1252 in the definition, or save it as UTF-8. Nothing of it was loaded.',
  })
  const [fault] = await read(Buffer.from('[{"name":"Stra\u00dfe in K\u00f6ln"}]', 'latin1'), 'x.json')
  assert.match(String(fault), /It may be windows-1252, in which it says "Stra\u00dfe"/)
})

test('text that is invalid in its declared encoding is refused', async () => {
  const utf8 = Buffer.from('id,name\n1,日\n')
  await assert.rejects(read(utf8, 'x.csv', { encoding: 'euc-jp' }), {
    name: 'SourceFault',
    message: /^x\.csv: after line 1 there is text that is not euc-jp/,
  })
})

test('files that no format reads are refused with a message that names their type', async () => {
  const refused: [content: string | Uint8Array, name: string, message: RegExp][] = [
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'x.xls', /old Excel workbook \(\.xls\).*Save it as \.xlsx/],
    ['SQLite format 3\0', 'x.db', /SQLite database.*sqlite:/],
    ['%PDF-1.7', 'x.pdf', /a PDF/],
    [Buffer.from('89504e470d0a1a0a', 'hex'), 'x.csv', /a picture/],
    ['<?xml version="1.0"?>\n<rows><row/></rows>', 'x.xml', /this is XML\. Convert it/],
    ['<rows><row id="1"/></rows>', 'x.json', /this is XML/],
    ['<!DOCTYPE html><html>', 'x.csv', /web page \(HTML\)/],
    ['<html><table><tr><td>1', 'x.xls', /web page \(HTML\)/],
    ['<?xml version="1.0"?><kml xmlns="x"></kml>', 'x.txt', /KML.*GeoJSON/],
    ['-- dump\nCREATE TABLE a (b int);', 'x.sql', /this is SQL/],
    ['var data = [{"id": 1}]', 'x.json', /not JSON: it begins "var data = \[.*JSON begins with \[ or \{/],
    ['id,name\n1,a\n', 'x.xlsx', /this is no Excel file, though it is called so/],
    ['{"type":"Topology","objects":{}}', 'x.json', /TopoJSON\. Convert it to GeoJSON/],
  ]
  for (const [content, name, message] of refused)
    await assert.rejects(read(content, name), { name: 'SourceFault', message })
})

test('tables are read even if the name of their first column resembles another format', async () => {
  for (const column of ['ORCID', 'GIF', '<name>', 'Rar', 'PK', 'PDF', 'BZh'])
    assert.deepEqual(await read(`${column},b\n1,2\n`), [{ [column]: '1', b: '2' }])
})
