/** YAML, which may be a list of records, several documents, or one record. */
import type { Format } from './contract/format.ts'

/** YAML format, recognized by the beginning of a document, a list or a mapping. */
export const yaml: Format = {
  name: 'yaml',
  title: 'YAML',
  endings: ['yaml', 'yml'],
  sniff: (head) => /^(?:---\r?\n|- |[A-Za-z_][\w-]*:(?:\s|$))/.test(head),
  read: async (input) => (await import('./yaml/yaml-records.ts')).yamlRecords(input),
}
