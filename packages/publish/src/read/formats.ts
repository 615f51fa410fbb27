/** The formats records come in, and how a source's name and first bytes tell which it is. */
import { parseJson } from '@worldwright/server/entities'

/** The formats of sources. `markdown` is a file with front matter, or a folder of such files. */
export type SourceFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'yaml' | 'markdown' | 'xlsx' | 'parquet'

const BY_EXTENSION: Readonly<Record<string, SourceFormat | 'jsonish'>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'jsonish',
  geojson: 'jsonish',
  geojsonl: 'ndjson',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  yaml: 'yaml',
  yml: 'yaml',
  md: 'markdown',
  markdown: 'markdown',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
  parquet: 'parquet',
}

const OBJECT_ON_SECOND_LINE = /^.*\n(?:[ \t\r]*\n)*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

/** The format that a name stands for, with or without `.gz`; `jsonish`: called JSON and perhaps NDJSON, as its text shows. */
export function formatFromName(name: string): SourceFormat | 'jsonish' | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : BY_EXTENSION[extension]
}

/**
 * The format of text whose name says nothing: JSON of either kind, Markdown or YAML, else a table. NDJSON whose first
 * line is broken is recognised by the object that the next line begins.
 */
export function formatFromText(head: string): SourceFormat | 'jsonish' {
  const text = head.trimStart()
  if (text === '' || /^[[{]/.test(text)) return 'jsonish'
  if (/^---\r?\n/.test(text)) return /\n---\s*(?:\r?\n|$)/.test(text) ? 'markdown' : 'yaml'
  if (OBJECT_ON_SECOND_LINE.test(text)) return 'ndjson'
  // A table's first line names columns; a list's or a mapping's first line in YAML is recognised by its signs.
  const [line = ''] = text.split('\n', 1)
  return /^(?:- |[A-Za-z_][\w-]*:(?:\s|$))/.test(line) ? 'yaml' : 'csv'
}

/**
 * Whether text that is called JSON, and begins so, is one document and not NDJSON: it begins an array, or an object of
 * which no line is an object by itself, with another one or the end after it.
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
  return line.startsWith('{') && line.endsWith('}') && 'value' in parseJson(line)
}
