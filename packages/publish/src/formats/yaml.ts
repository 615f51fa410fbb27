import type { Format } from './contract/format.ts'

/** YAML: a list of records, several documents, or one record. Recognized by the beginning of one of these. */
export const yaml: Format = {
  name: 'yaml',
  title: 'YAML',
  endings: ['yaml', 'yml'],
  sniff: (head) => /^(?:---\r?\n|- |[A-Za-z_][\w-]*:(?:\s|$))/.test(head),
  read: async (input) => (await import('./yaml/yaml-records.ts')).yamlRecords(input),
}
