/** Records in YAML: a list, several documents, or one record. */

import { malformed, type ReadRecord } from '@worldwright/entities'
import { isMap, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml'
import { allOf } from '../../bytes/bytes.ts'
import { utf8Only } from '../../bytes/utf8.ts'
import type { FormatInput } from '../contract/format.ts'
import { createNodeReader, dataValue, NodeFault, type NodeReader, STRICT_YAML } from './yaml-value.ts'

/** Maximum bytes of a YAML text, which is held in memory whole; anything larger should be NDJSON. */
const MAX_YAML_BYTES = 64 * 1024 * 1024

/**
 * Yields the records of a YAML text, in order: the elements of a list, those of an `entities` list, or one per document.
 * A document with syntax errors yields only faults.
 */
export async function* yamlRecords({ bytes: chunks, name }: FormatInput): AsyncGenerator<ReadRecord> {
  const bytes = await allOf(utf8Only(chunks, name), MAX_YAML_BYTES)
  if (bytes === undefined) {
    const message = `the YAML text is larger than ${MAX_YAML_BYTES} bytes; as NDJSON it may have any size`
    return yield { line: 1, fault: { pointer: '', reason: 'too_long', message } }
  }
  yield* recordsOfYaml(bytes.toString())
}

/** Yields the same records as `yamlRecords`, from text; `firstLine` is the line on which it begins in its file. */
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
    // The syntax is right by now, so the fault is in aliases, nesting or keys.
    if (!(error instanceof NodeFault)) throw error
    const { offset, message } = error
    return { line: lineAt(offset), fault: malformed(message) }
  }
}
