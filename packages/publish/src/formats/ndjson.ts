import type { Format } from './contract/format.ts'
import { isDocument } from './json.ts'

const OBJECT_ON_SECOND_LINE = /^(?!---\r?\n).*\n(?:[ \t\r]*\n)*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

/** Lines of JSON. If the first line is malformed, the format is recognized by an object that begins on the next line. */
export const ndjson: Format = {
  name: 'ndjson',
  title: 'NDJSON',
  endings: ['ndjson', 'jsonl', 'geojsonl', 'json', 'geojson'],
  sniff: (head) => (/^(?:$|[[{])/.test(head) || OBJECT_ON_SECOND_LINE.test(head)) && !isDocument(head),
  async read({ bytes }) {
    const [{ lineRecords }, { recordOfJson }] = await Promise.all([
      import('@worldwright/entities'),
      import('./geojson/feature-record.ts'),
    ])
    return lineRecords(bytes, recordOfJson)
  },
  wholeRecords() {
    let isFirst = true
    return (piece) => {
      const start = isFirst ? 0 : piece.indexOf(0x0a) + 1
      isFirst = false
      return [start, piece.lastIndexOf(0x0a) + 1]
    }
  },
  writer: {
    mediaType: 'application/x-ndjson',
    holdsTypes: true,
    async write(snapshot, { type }) {
      const { ndjsonPieces } = await import('@worldwright/entities')
      return ndjsonPieces(snapshot, type)
    },
    table: async (columns, rows) =>
      rows
        .map((row) => JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, row[index]]))))
        .map((line) => `${line}\n`)
        .join(''),
  },
}
