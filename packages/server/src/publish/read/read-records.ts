/** Records out of any format, in order, each with the line it began on, or with what is wrong there. */
import { joined, peek } from './bytes.ts'
import { type TableOptions, tableRecords } from './csv.ts'
import { formatFromName, formatFromText, isDocument, type SourceFormat } from './formats.ts'
import { documentRecords } from './json-document.ts'
import { lineRecords, MAX_LINE_BYTES } from './json-lines.ts'
import type { ReadRecord } from './json-text.ts'
import { markdownRecords } from './markdown.ts'
import { type RecordSource, unpackedBytes } from './record-source.ts'
import { yamlRecords } from './yaml-records.ts'

/** How the records of a source are read. */
export interface ReadOptions extends TableOptions {
  /** Called with how many bytes were taken from the source, before unpacking. */
  readonly onBytes?: ((count: number) => void) | undefined
  /** Absent: what the source's name says, else what its text looks like. */
  readonly format?: SourceFormat | undefined
}

/** What format, delimiter and quote are recognised by: more than one line may have. */
const SAMPLE_BYTES = MAX_LINE_BYTES + 1

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * The records of a source. NDJSON gives one for each line that is not blank. JSON gives the elements of an array, or
 * those of an object's `entities` array, or the one object there is. A table gives its rows, YAML the elements of a list
 * or its documents, a Markdown file itself. What is called JSON, or nothing, is NDJSON or a document: see `isDocument`.
 * One bad line, row or element is a fault, and reading goes on after it.
 * @throws SourceFault where the source itself cannot be read to its end.
 */
export async function* readRecords(
  source: RecordSource,
  options: ReadOptions = {},
): AsyncGenerator<ReadRecord> {
  const { name } = source
  const { head: start, rest } = await peek(unpackedBytes(source, options.onBytes), SAMPLE_BYTES)
  const head = start.subarray(0, 3).equals(BYTE_ORDER_MARK) ? start.subarray(3) : start
  const bytes = joined({ head, rest })
  switch (options.format ?? formatFromName(name) ?? formatFromText(head.toString())) {
    case 'csv':
      return yield* tableRecords(bytes, head, name, options)
    case 'tsv':
      return yield* tableRecords(bytes, head, name, { ...options, delimiter: options.delimiter ?? '\t' })
    case 'yaml':
      return yield* yamlRecords(bytes, name)
    case 'markdown':
      return yield* markdownRecords(bytes, name, source.id ?? idFromName(name))
    case 'ndjson':
      return yield* lineRecords(bytes)
    case 'json':
      return yield* documentRecords(bytes)
    case 'jsonish':
      return yield* isDocument(head.toString()) ? documentRecords(bytes) : lineRecords(bytes)
  }
}

function idFromName(name: string): string {
  const file = name.replaceAll('\\', '/').split('/').at(-1) ?? name
  return file
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '')
    .normalize('NFC')
}
