/** JSON: a single document that contains records. */
import type { Format } from './contract/format.ts'

/** A JSON document. A file with this extension may also be NDJSON. */
export const json: Format = {
  name: 'json',
  title: 'JSON',
  endings: ['json'],
  begins: '[ or {',
  options: ['records'],
  sniff: isDocument,
  tables: async (input) => (await import('./json/record-lists.ts')).recordLists(input),
  read: async (...file) => (await import('./json/json-document.ts')).documentRecords(...file),
}

/**
 * Reports whether text is a document rather than NDJSON. A document starts with `[` or `{`. If it starts with `{` and has
 * several lines, none of them is an object that is followed by another object or by the end.
 */
export function isDocument(head: string): boolean {
  const lines = head.split('\n').map((line) => line.trim())
  const [first = '', ...others] = lines.filter((line) => line !== '')
  if (first.startsWith('[')) return true
  if (!first.startsWith('{')) return false
  if (others.length === 0) return true
  if (first.endsWith('}')) return false
  return !others.some((line, at) => (others[at + 1] ?? '{').startsWith('{') && isObjectText(line))
}

function isObjectText(line: string): boolean {
  if (!line.startsWith('{') || !line.endsWith('}')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
