/** One JSON document that holds records: an array, an object with an `entities` array, or a single record. */
import { isUtf8 } from 'node:buffer'
import { allOf } from './bytes.ts'
import { elementSpans, memberSpans, type Span, type SpanEnd, skipWhite } from './json-spans.ts'
import { malformed, parseJson, type ReadRecord, type RecordFault } from './json-text.ts'
import { linesOfUtf8 } from './utf8.ts'

/** A document is held in memory whole; anything larger should be NDJSON. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * The records of a document, in order. Each element is parsed by itself, so that a faulty one costs only itself; after
 * something that cannot be part of the list there is one last fault. An object is a list of records where it has an
 * `entities` array and no `id` of its own.
 */
export async function* documentRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRecord> {
  const bytes = await allOf(chunks, MAX_DOCUMENT_BYTES)
  if (bytes === undefined) {
    const message = `the JSON document is larger than ${MAX_DOCUMENT_BYTES} bytes; as NDJSON it may have any size`
    return yield { line: 1, fault: { pointer: '', reason: 'too_long', message } }
  }
  if (!isUtf8(bytes)) return yield { line: 1 + linesOfUtf8(bytes), fault: malformed('the line is not UTF-8') }
  const text = bytes.toString('utf8')
  const start = skipWhite(text, 0)
  if (text[start] === '[') return yield* listRecords(text, start)
  const list = entitiesStart(text, start)
  if (list !== undefined) return yield* listRecords(text, list.start, list.rest)
  yield recordIn(text, { start, end: text.length }, 1 + newlines(text, 0, start))
}

/** `rest`: how the object around the list ends; absent where the list is the whole document. */
function* listRecords(text: string, list: number, rest?: SpanEnd): Generator<ReadRecord> {
  let line = 1
  let counted = 0
  const lineOf = (at: number) => {
    line += newlines(text, counted, at)
    counted = Math.max(counted, at)
    return line
  }
  const spans = elementSpans(text, list)
  let next = spans.next()
  for (; !next.done; next = spans.next()) yield recordIn(text, next.value, lineOf(next.value.start))
  const end = next.value.broken || !rest ? next.value : rest
  const fault = endFault(text, end)
  if (fault) yield { line: lineOf(end.end), fault }
}

function endFault(text: string, { end, broken }: SpanEnd): RecordFault | undefined {
  const at = skipWhite(text, end)
  if (broken && at >= text.length) return malformed('not JSON: the list of records does not end')
  if (broken || at < text.length) return malformed(`not JSON: ${JSON.stringify(text[at])} cannot stand here`)
  return undefined
}

function recordIn(text: string, { start, end }: Span, line: number): ReadRecord {
  const parsed = parseJson(text.slice(start, end))
  return 'value' in parsed ? { line, record: parsed.value } : { line, fault: parsed.fault }
}

function entitiesStart(text: string, object: number): { start: number; rest: SpanEnd } | undefined {
  const members = memberSpans(text, object)
  let start: number | undefined
  let next = members.next()
  for (; !next.done; next = members.next()) {
    if (next.value.key === 'id') return undefined
    if (next.value.key === 'entities' && text[next.value.start] === '[') start ??= next.value.start
  }
  return start === undefined ? undefined : { start, rest: next.value }
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
