/** Reads lists of rejected records as sources. A corrected record is read with the options of its original source. */
import { isObject, type JsonObject } from '@worldwright/client/protocol'
import { malformed, parseJson, type ReadRecord } from '@worldwright/entities'
import type { Source, WorldDefinition } from '../definition/definition.ts'
import { REJECTED } from '../input/record-source.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** A record from a list, with the options for reading it. */
export interface Unlisted {
  readonly read: ReadRecord
  /** The source and line at which it was rejected. */
  readonly at?: { readonly source: string; readonly line: number } | undefined
  readonly mapping?: Mapping | undefined
  readonly type?: string | undefined
}

/** Reports whether a source is a list of rejected records, by its name. */
export function isRejectedList(name: string): boolean {
  return name.endsWith(REJECTED)
}

/** Returns a function that restores the record from a line of a list, and returns other lines unchanged. */
export function unlisted(definition: WorldDefinition | undefined): (read: ReadRecord) => Unlisted {
  return (read) => {
    if ('fault' in read || !isRejection(read.record)) return { read }
    const { source, line, record, entity, cells, text } = read.record
    const at = { source, line }
    if (entity !== undefined) return { at, read: { line, record: entity } }
    const defined = definition?.sources.find((one) => isOf(one, source))
    if (defined === undefined && cells === true)
      return { at, read: { line, fault: malformed(`there is no source ${source} in the definition`) } }
    const how = { at, mapping: defined, type: defined?.type }
    if (record !== undefined) return { read: { line, record, ...(cells === true && { cells }) }, ...how }
    const parsed = typeof text === 'string' ? parseJson(text) : undefined
    if (parsed && 'value' in parsed && isObject(parsed.value))
      return { read: { line, record: parsed.value }, ...how }
    const fault = malformed('is not mended: put the record under "record"')
    return { at, read: { line, fault, ...(typeof text === 'string' && { text }) } }
  }
}

interface Listed extends JsonObject {
  readonly source: string
  readonly line: number
}

function isRejection(value: unknown): value is Listed {
  return (
    isObject(value) &&
    typeof value['source'] === 'string' &&
    typeof value['line'] === 'number' &&
    Array.isArray(value['faults'])
  )
}

/** Reports whether `name` is the file of this source or a file in its folder. */
function isOf(source: Source, name: string): boolean {
  return 'file' in source && (source.file === name || name.startsWith(`${source.file.replace(/\/$/, '')}/`))
}
