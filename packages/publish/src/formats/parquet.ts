import type { Format } from './contract/format.ts'

/** Parquet tables, read and written one row group at a time. */
export const parquet: Format = {
  name: 'parquet',
  title: 'Parquet',
  endings: ['parquet'],
  isBinary: true,
  isTable: true,
  sniff: (head) => head.startsWith('PAR1'),
  read: async (...file) => (await import('./parquet/parquet-records.ts')).parquetRecords(...file),
  writer: {
    mediaType: 'application/vnd.apache.parquet',
    loses: 'Null and missing are one; lists, objects and mixed values are JSON. No times or revisions.',
    write: async (...asked) => (await import('./parquet/parquet-export.ts')).parquetExport(...asked),
  },
}
