import { malformed, type ReadRecord } from '@worldwright/entities'
import { isMap, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'
import { allOf } from '../../bytes/bytes.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FormatInput } from '../contract/format.ts'
import { createNodeReader, dataValue, NodeFault, type NodeReader, STRICT_YAML } from './yaml-value.ts'

/** Maximum size of YAML text in bytes. It is held in memory as a whole, so larger data should be NDJSON. */
const MAX_YAML_BYTES = 64 * 1024 * 1024

/**
 * Yields the records in YAML text, in order: the elements of a list or of an `entities` list, or else its documents. A
 * document with syntax errors yields only faults.
 */
export async function* yamlRecords({ bytes: chunks, name }: FormatInput): AsyncGenerator<ReadRecord> {
  const bytes = await allOf(utf8Only(chunks, name), MAX_YAML_BYTES)
  if (bytes === undefined) {
    const message = `the YAML text is larger than ${MAX_YAML_BYTES} bytes; as NDJSON it may have any size`
    return yield { line: 1, fault: { pointer: '', reason: 'too_long', message } }
  }
  yield* recordsOfYaml(bytes.toString())
}

/** Like `yamlRecords`, but reads a string that begins on line `firstLine` of its file. */
export function* recordsOfYaml(text: string, firstLine = 1): Generator<ReadRecord> {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, { ...STRICT_YAML, lineCounter: lines })
  const lineAt = (offset: number) => lines.linePos(offset).line + firstLine - 1
  const aliased = { bytes: 0 }
  if (!Array.isArray(documents)) return
  for (const document of documents) {
    for (const { pos, message } of [...document.errors, ...document.warnings]) {
      yield { line: lineAt(pos[0]), fault: malformed(`not YAML: ${message}`) }
    }
    if (document.errors.length > 0) continue
    const { contents } = document
    const entities = isMap(contents) && !contents.has('id') ? contents.get('entities') : undefined
    const read = createNodeReader(document, aliased, dataValue)
    const list = isSeq(contents) ? contents : isSeq(entities) ? entities : undefined
    for (const node of list ? list.items : [contents]) {
      if (node === null && list === undefined) continue
      yield recordOf(node, read, lineAt)
    }
  }
}

function recordOf(node: unknown, read: NodeReader, lineAt: (offset: number) => number): ReadRecord {
  try {
    return { line: lineAt((node as Node | null)?.range?.[0] ?? 0), record: read(node) }
  } catch (error) {
    // The syntax is valid here, so the fault is in aliases, nesting or keys.
    if (!(error instanceof NodeFault)) throw error
    const { offset, message } = error
    return { line: lineAt(offset), fault: malformed(message) }
  }
}
