/** Reads a JSON document that contains a list, a nested list, GeoJSON features, or a single record. */
import { isUtf8 } from 'node:buffer'
import { isObject } from '@worldwright/client/protocol'
import {
  malformed,
  memberSpans,
  parseJson,
  type ReadRecord,
  type RecordFault,
  type SpanEnd,
  skipWhite,
} from '@worldwright/entities'
import { allOf } from '../../bytes/bytes.ts'
import { SourceFault } from '../../bytes/source-fault.ts'
import { linesOfUtf8, notUtf8 } from '../../bytes/utf8.ts'
import type { FormatInput, FormatOptions } from '../contract/format.ts'
import { otherCoordinates, recordOfJson } from '../geojson/feature-record.ts'
import { type PathStep, parsePath, pathTargets } from './json-path.ts'

/** Maximum document size in bytes. A document is held in memory as a whole, so larger data should be NDJSON. */
export const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Yields the records of a document in order. Each element is parsed separately, so that a bad one does not affect the
 * others. Text that cannot be part of the list yields a final fault. `records` is a path in the syntax of `parsePath`. If it
 * is absent, the records are the elements of a top-level array, of `entities` in an object without an `id`, or of GeoJSON
 * `features`. Any other value is the only record.
 * @throws SourceFault if the path matches nothing, or GeoJSON coordinates are not in degrees
 */
export async function* documentRecords(
  input: FormatInput,
  { records }: FormatOptions,
): AsyncGenerator<ReadRecord> {
  const { name } = input
  const bytes = await allOf(input.bytes, MAX_DOCUMENT_BYTES)
  if (bytes === undefined) {
    const message = `the JSON document is larger than ${MAX_DOCUMENT_BYTES} bytes; as NDJSON it may have any size`
    return yield { line: 1, fault: { pointer: '', reason: 'too_long', message } }
  }
  if (!isUtf8(bytes)) return yield { line: 1 + linesOfUtf8(bytes), fault: malformed(await notUtf8(bytes)) }
  const text = bytes.toString('utf8')
  const start = skipWhite(text, 0)
  if (records !== undefined) {
    let found = false
    for (const read of recordsAt(text, parsePath(records) ?? [])) {
      found = true
      yield read
    }
    if (!found) throw nothingAt(records, text, start, name)
    return
  }
  const steps = text[start] === '[' ? [] : ownList(text, start, name)
  if (steps) return yield* recordsAt(text, steps)
  yield recordIn(text, { start, end: text.length }, 1 + newlines(text, 0, start))
}

function* recordsAt(text: string, steps: readonly PathStep[]): Generator<ReadRecord> {
  let line = 1
  let counted = 0
  const lineOf = (at: number) => {
    line += newlines(text, counted, at)
    counted = Math.max(counted, at)
    return line
  }
  const targets = pathTargets(text, steps)
  let next = targets.next()
  for (; !next.done; next = targets.next()) yield recordIn(text, next.value, lineOf(next.value.start))
  const fault = endFault(text, next.value)
  if (fault) yield { line: lineOf(next.value.end), fault }
}

function endFault(text: string, { end, broken }: SpanEnd): RecordFault | undefined {
  const at = skipWhite(text, end)
  if (broken && at >= text.length) return malformed('not JSON: the list of records does not end')
  if (broken || at < text.length) return malformed(`not JSON: ${JSON.stringify(text[at])} cannot stand here`)
  return undefined
}

/** Parses one record. `key` is its name in an object of records, and is added to it as the column `$key`. */
function recordIn(
  text: string,
  { start, end, key }: { readonly start: number; readonly end: number; readonly key?: string },
  line: number,
): ReadRecord {
  const parsed = parseJson(text.slice(start, end))
  if ('fault' in parsed) return { line, fault: parsed.fault }
  const record = recordOfJson(parsed.value)
  return { line, record: key !== undefined && isObject(record) ? { $key: key, ...record } : record }
}

/** Returns the path to `entities` in an object without an `id`, or to GeoJSON features, or undefined if it has neither. */
function ownList(text: string, object: number, name: string): readonly PathStep[] | undefined {
  const starts = new Map<string, number>()
  const textAt = (key: string, length: number) => text.slice(starts.get(key) ?? text.length).slice(0, length)
  for (const { key, start, end } of memberSpans(text, object)) {
    if (!starts.has(key)) starts.set(key, start)
    if (key === 'crs') {
      const crs = parseJson(text.slice(start, end))
      const other = 'value' in crs ? otherCoordinates(crs.value) : undefined
      if (other !== undefined && textAt('type', 19) === '"FeatureCollection"') throw notDegrees(other, name)
    }
  }
  if (textAt('type', 19) === '"FeatureCollection"' && textAt('features', 1) === '[') return ['features']
  if (textAt('type', 10) === '"Topology"')
    throw new SourceFault(`${name}: this is TopoJSON. Convert it to GeoJSON.`)
  return !starts.has('id') && textAt('entities', 1) === '[' ? ['entities'] : undefined
}

function notDegrees(coordinates: string, name: string): SourceFault {
  return new SourceFault(
    `${name}: the coordinates are in ${coordinates}. Convert them to degrees of WGS 84 (EPSG:4326).`,
  )
}

function nothingAt(path: string, text: string, start: number, name: string): SourceFault {
  const members = text[start] === '{' ? [...memberSpans(text, start)].map(({ key }) => key) : []
  const has = members.length === 0 ? '' : `; the document has ${members.slice(0, 10).join(', ')}`
  return new SourceFault(`${name}: ${path} leads to no record${has}.`)
}

function newlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
