/** Reads NDJSON: one JSON text per line. */
import type { JsonValue } from '@worldwright/client/protocol'
import { joinedBytes, utf8Length } from '@worldwright/core/store'
import { malformed, parseJson, type ReadRecord, type RecordFault } from './json-text.ts'

/** Maximum size of a line, in bytes: enough for a 256 KiB entity even if many of its characters are escaped. */
export const MAX_LINE_BYTES = 1024 * 1024

const NEWLINE = 0x0a
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const TOO_LONG = {
  pointer: '',
  reason: 'too_long',
  message: `the line is longer than ${MAX_LINE_BYTES} bytes`,
} as const

const NOT_UTF8 = malformed(
  'the line is not UTF-8; say what it is in the definition, such as encoding: windows-1252',
)

/**
 * Yields one record per line, parsed and then converted by `recordOf`. Skips blank lines. For a line that is too long,
 * not UTF-8 or not JSON, yields a fault.
 */
export async function* lineRecords(
  chunks: AsyncIterable<Uint8Array>,
  recordOf: (value: JsonValue) => JsonValue = (value) => value,
): AsyncGenerator<ReadRecord> {
  let line = 0
  for await (const block of lineBlocks(chunks)) {
    for (const text of linesOf(block)) {
      line++
      const read = recordOfLine(text, line, recordOf)
      if (read) yield read
    }
  }
}

/** Yields blocks of whole lines, each without its final newline. Yields `TOO_LONG` in place of a line over the limit. */
async function* lineBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | typeof TOO_LONG> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  for await (const chunk of chunks) {
    let start = 0
    if (heldBytes > MAX_LINE_BYTES) {
      // The line is already too long, so discard the rest of it.
      const end = chunk.indexOf(NEWLINE)
      if (end < 0) continue
      yield TOO_LONG
      start = end + 1
      held = []
      heldBytes = 0
    }
    const last = chunk.lastIndexOf(NEWLINE)
    if (last >= start) {
      yield joinedBytes([...held, chunk.subarray(start, last)])
      start = last + 1
      held = []
      heldBytes = 0
    }
    held.push(chunk.subarray(start))
    heldBytes += chunk.length - start
  }
  if (heldBytes > MAX_LINE_BYTES) yield TOO_LONG
  else if (heldBytes > 0) yield joinedBytes(held)
}

function* linesOf(block: Uint8Array | typeof TOO_LONG): Generator<string | RecordFault> {
  if (!(block instanceof Uint8Array)) {
    yield block
    return
  }
  const text = textOf(block)
  if (text !== undefined) {
    yield* text.split('\n')
    return
  }
  for (let start = 0, end = 0; end < block.length; start = end + 1) {
    end = block.indexOf(NEWLINE, start)
    if (end < 0) end = block.length
    yield textOf(block.subarray(start, end)) ?? NOT_UTF8
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

function recordOfLine(
  text: string | RecordFault,
  line: number,
  recordOf: (value: JsonValue) => JsonValue,
): ReadRecord | undefined {
  if (typeof text !== 'string') return { line, fault: text }
  if (text.trim() === '') return undefined
  // A UTF-16 code unit takes at most three bytes, so for most lines there is no need to count bytes.
  if (text.length > MAX_LINE_BYTES / 3 && utf8Length(text) > MAX_LINE_BYTES) return { line, fault: TOO_LONG }
  const parsed = parseJson(text)
  return 'value' in parsed ? { line, record: recordOf(parsed.value) } : { line, fault: parsed.fault, text }
}
