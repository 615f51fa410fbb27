/** Handwritten workbooks for tests, whose parts are packed into a zip file. */
import { crc32, deflateRawSync } from 'node:zlib'

/** Returns a zip file of these parts. `declared` overrides the sizes stated in its directory. */
export function zipOf(
  parts: Readonly<Record<string, string>>,
  declared: Readonly<Record<string, number>> = {},
) {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text)
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(declared[name] ?? content.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    bodies.push(Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name))
    offset += 4 + common.length + Buffer.byteLength(name) + packed.length
  }
  const central = Buffer.concat(directory)
  const count = Object.keys(parts).length
  const end = Buffer.alloc(18)
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, central, Buffer.from('PK\x05\x06', 'latin1'), end])
}

/** A sheet of a workbook, given by the XML of its rows. */
export interface SheetFixture {
  readonly rows: string
  readonly state?: string
  /** XML of the columns. */
  readonly cols?: string
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Parts shared by the sheets of a workbook. */
export interface SharedFixture {
  readonly strings?: string
  readonly styles?: string
  /** Attributes of `workbookPr`. */
  readonly properties?: string
}

/** Returns the parts of a workbook with these sheets. */
export function workbookParts(
  sheets: Readonly<Record<string, SheetFixture | string>>,
  { strings = '', styles = '', properties = '' }: SharedFixture = {},
): Record<string, string> {
  const list = Object.entries(sheets).map(([name, sheet], at) => ({
    name,
    part: `sheet${at + 1}.xml`,
    ...(typeof sheet === 'string'
      ? { rows: sheet, state: 'visible', cols: '' }
      : { state: 'visible', cols: '', ...sheet }),
  }))
  const entries = list.map(
    ({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="r${at}"/>`,
  )
  const related = list.map(
    ({ part }, at) => `<Relationship Id="r${at}" Type="${RELATION}/worksheet" Target="worksheets/${part}"/>`,
  )
  return {
    '_rels/.rels': `<Relationships><Relationship Id="a" Type="${RELATION}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<?xml version="1.0"?><workbook ${MAIN} xmlns:r="${RELATION}"><workbookPr ${properties}/><sheets>${entries.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related.join('')}<Relationship Id="s" Type="${RELATION}/sharedStrings" Target="/xl/sharedStrings.xml"/><Relationship Id="y" Type="${RELATION}/styles" Target="styles.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet ${MAIN}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      list.map(({ part, rows, cols }) => [
        `xl/worksheets/${part}`,
        `<worksheet ${MAIN}>${cols && `<cols>${cols}</cols>`}<sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
  }
}

/** Returns a row of text cells. */
export function textRow(number: number, ...texts: readonly string[]): string {
  const cells = texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`)
  return `<row r="${number}">${cells.join('')}</row>`
}
