/** An Excel workbook (.xlsx), with its sheets by name and the parts that they share. */
import { wholeOf } from '../../bytes/bytes.ts'
import { SourceFault } from '../../bytes/source-fault.ts'
import type { FormatInput } from '../contract/format.ts'
import { builtinFormat, formatFromCode, GENERAL, type NumberFormat } from './number-format.ts'
import { attributeOf, walkXml } from './xml.ts'
import { openZip, type ZipParts } from './zip-parts.ts'

/** A sheet as listed in its workbook. */
export interface SheetEntry {
  readonly name: string
  /** Set if the author has hidden the sheet, or a program has so that no menu shows it. */
  readonly hidden?: 'hidden' | 'very hidden'
  /** Name of the part that contains the cells. */
  readonly part: string
}

/** A workbook whose sheets can be read. */
export interface Workbook {
  /** File name for messages. */
  readonly file: string
  /** Worksheets in tab order, without chart and macro sheets. */
  readonly sheets: readonly SheetEntry[]
  readonly parts: ZipParts
  /** Shared strings, which cells reference by index. */
  readonly strings: readonly string[]
  /** Number formats, which cells reference by style index. */
  readonly formats: readonly NumberFormat[]
  /** Set if days are counted from 1904 instead of 1900. */
  readonly epoch1904: boolean
}

/** Maximum workbook size in bytes. The compressed file is held in memory. */
const MAX_WORKBOOK_BYTES = 256 * 1024 * 1024
/** Maximum decompressed size, in bytes, of each list of sheets, styles or relations. */
const MAX_LIST_BYTES = 32 * 1024 * 1024
/** Maximum decompressed size of the shared strings in bytes. They are also held in memory. */
const MAX_STRINGS_BYTES = 512 * 1024 * 1024

/** Other types of zip files, each with a part that identifies it and the message that refuses it. */
const OTHERS: readonly (readonly [part: RegExp, message: string])[] = [
  [/^xl\/workbook\.bin$/i, 'this is a binary workbook (.xlsb). Save it as .xlsx'],
  [/^word\//i, 'this is a Word document. Save its table as .xlsx or CSV'],
  [/^ppt\//i, 'this is a PowerPoint presentation. Save its table as .xlsx or CSV'],
  [/^index\/document\.iwa$/i, 'this is a Numbers or Pages document. Export it as .xlsx or CSV'],
  [/^content\.xml$/i, 'this is an OpenDocument file (.ods). Save it as .xlsx or CSV'],
  [/^doc\.kml$/i, 'this is a KMZ map. Convert it to GeoJSON'],
]

/** Opens a workbook. @throws SourceFault if the file is not a workbook, or is damaged */
export async function openWorkbook(input: FormatInput): Promise<Workbook> {
  const { name: file } = input
  const parts = await openZip(await wholeOf(input, MAX_WORKBOOK_BYTES), file)
  try {
    const root = await relations(parts, '', '_rels/.rels')
    const main = [...root.values()].find(({ type }) => type.endsWith('/officeDocument'))?.target
    const path = main ?? 'xl/workbook.xml'
    if (!parts.has(path) || !/\.xml$/i.test(path)) throw otherFile(parts, file)
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const relationsPath = `${folder}_rels/${path.slice(folder.length)}.rels`
    const related = await relations(parts, folder, relationsPath)
    const partOf = (kind: string) =>
      [...related.values()].find(({ type }) => type.endsWith(`/${kind}`))?.target ?? ''
    const { sheets, epoch1904 } = await sheetList(parts, path, related)
    if (sheets.length === 0) throw otherFile(parts, file)
    const strings = await sharedStrings(parts, partOf('sharedStrings'))
    const formats = await cellFormats(parts, partOf('styles'))
    return { file, parts, sheets, strings, formats, epoch1904 }
  } catch (cause) {
    if (cause instanceof SourceFault) throw cause
    throw new SourceFault(`${file}: the workbook is damaged: ${(cause as Error).message}.`, { cause })
  }
}

function otherFile({ names }: ZipParts, file: string): SourceFault {
  const found = OTHERS.find(([part]) => names.some((one) => part.test(one)))
  const what = found?.[1] ?? 'this is a zip file and no workbook. Unpack it, and name the files in it'
  return new SourceFault(`${file}: ${what}.`)
}

interface Relation {
  readonly type: string
  readonly target: string
}

async function relations(parts: ZipParts, folder: string, path: string): Promise<Map<string, Relation>> {
  const found = new Map<string, Relation>()
  await walkXml(parts.text(path, MAX_LIST_BYTES), {
    open(element, { Id: id, Type: type, Target: target }) {
      if (element !== 'Relationship' || id === undefined || target === undefined) return
      found.set(id, { type: type ?? '', target: resolved(folder, target) })
    },
  })
  return found
}

/** Resolves a part name relative to the folder of the referring part, or to the root. */
function resolved(folder: string, target: string): string {
  const url = new URL(target.replaceAll('\\', '/'), `zip:///${folder}`)
  return decodeURIComponent(url.pathname).replace(/^\/+/, '')
}

async function sheetList(parts: ZipParts, path: string, related: ReadonlyMap<string, Relation>) {
  const sheets: SheetEntry[] = []
  let epoch1904 = false
  await walkXml(parts.text(path, MAX_LIST_BYTES), {
    open(element, attributes) {
      // Extensions of Excel have an element of the same name, without the attribute.
      if (element === 'workbookPr') epoch1904 ||= isTrue(attributes['date1904'])
      if (element !== 'sheet') return
      const relation = related.get(attributeOf(attributes, 'id') ?? '')
      if (!relation?.type.endsWith('/worksheet')) return
      const { name = '', state = 'visible' } = attributes
      const hidden = state === 'veryHidden' ? 'very hidden' : 'hidden'
      sheets.push({ name, ...(state !== 'visible' && { hidden }), part: relation.target })
    },
  })
  return { sheets, epoch1904 }
}

async function sharedStrings(parts: ZipParts, path: string): Promise<string[]> {
  const strings: string[] = []
  const text = new TextOfCell()
  await walkXml(parts.text(path, MAX_STRINGS_BYTES), {
    open(name) {
      if (name === 'si') text.clear()
      else text.open(name)
    },
    text: (more) => text.add(more),
    close(name) {
      if (name === 'si') strings.push(text.value)
      else text.close(name)
    },
  })
  return strings
}

/** Collects the text in the `t` elements of rich text, without phonetic readings. */
export class TextOfCell {
  #inText = false
  #inReading = false
  #text = ''

  /** Discards the collected text. */
  clear(): void {
    this.#text = ''
    this.#inText = false
    this.#inReading = false
  }

  /** Handles the start of an element. */
  open(name: string): void {
    if (name === 't') this.#inText = true
    if (name === 'rPh') this.#inReading = true
  }

  /** Handles the end of an element. */
  close(name: string): void {
    if (name === 't') this.#inText = false
    if (name === 'rPh') this.#inReading = false
  }

  /** Adds text of the current element. */
  add(text: string): void {
    if (this.#inText && !this.#inReading) this.#text += text
  }

  /** Collected text, with escaped characters decoded. */
  get value(): string {
    return unescaped(this.#text)
  }
}

/** Replaces escapes such as `_x000D_` with the characters they represent. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

async function cellFormats(parts: ZipParts, path: string): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let inCells = false
  await walkXml(parts.text(path, MAX_LIST_BYTES), {
    open(name, { numFmtId, formatCode }) {
      if (name === 'cellXfs') inCells = true
      if (name === 'numFmt' && formatCode !== undefined) own.set(Number(numFmtId), formatFromCode(formatCode))
      if (name === 'xf' && inCells) {
        const id = Number(numFmtId ?? 0)
        formats.push(own.get(id) ?? (id === 0 ? GENERAL : builtinFormat(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

/** Parses a boolean attribute of XML. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}
