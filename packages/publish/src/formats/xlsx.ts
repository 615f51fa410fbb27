/** Excel workbooks (.xlsx): sheets whose first row names the columns. */
import type { Format } from './contract/format.ts'

/** Excel. Every zip file is searched for sheets: only its parts show whether it is a workbook. */
export const xlsx: Format = {
  name: 'xlsx',
  title: 'Excel',
  endings: ['xlsx', 'xlsm'],
  isBinary: true,
  isTable: true,
  sniff: (head) => head.startsWith('PK\x03\x04') || head.startsWith('PK\x05\x06'),
  tables: async (input) => (await import('./xlsx/sheet-tables.ts')).sheetTables(input),
  read: async (...file) => (await import('./xlsx/workbook-records.ts')).workbookRecords(...file),
}
