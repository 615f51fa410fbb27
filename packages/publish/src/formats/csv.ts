/** CSV and TSV: text tables whose first row names the columns. */
import type { Format } from './contract/format.ts'
import { LAYOUT } from './contract/unread-option.ts'

/** CSV, the fallback for text that no other format recognizes. */
export const csv: Format = {
  name: 'csv',
  title: 'CSV',
  endings: ['csv'],
  isTable: true,
  options: ['delimiter', 'quote', ...LAYOUT],
  read: async (...file) => (await import('./csv/csv-records.ts')).tableRecords(...file),
  wholeRecords: async (...piece) => (await import('./csv/whole-rows.ts')).wholeRows(...piece),
  writer: {
    mediaType: 'text/csv; charset=utf-8',
    loses:
      'Types of values; null, empty and missing are one; references are ids without their type, other lists and objects JSON. Texts that a spreadsheet would run as formulas get an apostrophe in front. No times or revisions.',
    hasTitles: true,
    write: async (...asked) => (await import('./csv/csv-export.ts')).csvExport(...asked),
    table: async (...asked) => (await import('./csv/csv-export.ts')).csvTable(...asked),
  },
}

/** TSV format: CSV with tabs as the default delimiter. */
export const tsv: Format = {
  name: 'tsv',
  title: 'TSV',
  endings: ['tsv', 'tab'],
  isTable: true,
  options: ['delimiter', 'quote', ...LAYOUT],
  read: (input, { delimiter = '\t', ...options }) => csv.read(input, { ...options, delimiter }),
  wholeRecords: async (head, { delimiter = '\t', ...options }) =>
    (await import('./csv/whole-rows.ts')).wholeRows(head, { ...options, delimiter }),
}
