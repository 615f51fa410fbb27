import type { Format } from './contract/format.ts'

/** Excel format. Matches every zip file, since only the parts of a zip file show whether it is a workbook. */
export const xlsx: Format = {
  name: 'xlsx',
  title: 'Excel',
  endings: ['xlsx', 'xlsm'],
  isBinary: true,
  isTable: true,
  options: ['sheet', 'hidden', 'header', 'skip', 'until', 'except'],
  sniff: (head) => head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06'),
  tables: async (input) => (await import('./xlsx/sheet-tables.ts')).sheetTables(input),
  read: async (...file) => (await import('./xlsx/workbook-records.ts')).workbookRecords(...file),
  writer: {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    loses:
      'Null, empty and missing are one; references are ids without their type, other lists and objects JSON. Numbers show 15 digits. No times or revisions.',
    write: async (...asked) => (await import('./xlsx/xlsx-export.ts')).xlsxExport(...asked),
  },
}
