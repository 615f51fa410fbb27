import { isObject, type JsonObject, type JsonValue } from '@worldwright/client/protocol'
import type { RecordFault } from '@worldwright/entities'
import { SourceFault } from '../bytes/source-fault.ts'
import { type Join, joinedColumns, type Mapping } from './mapping.ts'
import { memberAt, servedAttributes } from './member-path.ts'
import type { Mapped, RecordContext, RowMapper } from './row-mapper.ts'

/** A record of a joined file: the values of the join's columns, its line, and that of another record with its key. */
type JoinedRecord = {
  readonly values: readonly (JsonValue | undefined)[]
  readonly line: number
  again?: number
}

/** Number of keys without a match that a note names. */
const SHOWN = 3

/** The records of a joined file by their keys, and a count of the records of the source that have none. */
export class JoinIndex {
  readonly #file: string
  readonly #into: string
  readonly #columns: ReturnType<typeof joinedColumns>
  readonly #owns: readonly string[]
  readonly #others: readonly string[]
  /** Texts that mean an empty cell, by place in the key. */
  readonly #empty: readonly (readonly string[])[]
  readonly #records = new Map<string, JoinedRecord>()
  readonly #examples = new Set<string>()
  #unmatched = 0
  #keyless = 0
  /** Columns of the file that no record has had so far. */
  readonly unseen: Set<string>

  /** Creates an empty index for the source named `into`. `missing` is the list of the world. */
  constructor(join: Join, into: string, mapping: Mapping, missing: readonly string[] = []) {
    this.#file = join.file
    this.#into = into
    this.#columns = joinedColumns(join)
    this.#owns = Object.keys(join.where)
    this.#others = Object.values(join.where)
    const cells = new Map(Object.entries(mapping.cells ?? {}))
    this.#empty = this.#owns.map((own) => cells.get(own)?.missing ?? mapping.missing ?? missing)
    this.unseen = new Set([...this.#others, ...this.#columns.map(([, column]) => column)])
  }

  /** Adds a record of the file, and returns the number of characters that are kept of it. */
  add(record: JsonObject, line: number): number {
    for (const column of this.unseen) if (memberAt(record, column) !== undefined) this.unseen.delete(column)
    const key = this.#keyOf(record, this.#others)
    const other = this.#records.get(key ?? '')
    if (other) other.again ??= line
    if (key === undefined || other) return 0
    const values = this.#columns.map(([, column]) => memberAt(record, column))
    this.#records.set(key, { values, line })
    return key.length + JSON.stringify(values).length
  }

  /**
   * Returns a record of the source with the columns of the record that has its key. Those of a table are empty without one.
   * @throws SourceFault if the source has a column of the same name
   */
  joined(record: JsonObject, isTable: boolean, faults: RecordFault[]): JsonObject {
    const attributes = isTable ? undefined : servedAttributes(record)
    const all = { ...attributes, ...record }
    const found = this.#find(all, faults)
    const added: [string, JsonValue][] = []
    for (const [at, [name]] of this.#columns.entries()) {
      if (Object.hasOwn(all, name)) {
        const clash = `${JSON.stringify(name)} of ${this.#file} is a column here, too`
        throw new SourceFault(`${this.#into}: ${clash}. Add it under another name: columns: {NAME: …}.`)
      }
      const value = found?.values[at] ?? ''
      if (value !== '' || isTable) added.push([name, value])
    }
    const members = Object.fromEntries(added)
    return attributes ? { ...record, attributes: { ...attributes, ...members } } : { ...record, ...members }
  }

  /** Returns a sentence on the records that nothing was added to, or an empty array if there are none. */
  notes(where: string): string[] {
    const keys = this.#owns.join(', ')
    const parts = [
      ...(this.#unmatched > 0
        ? [`${this.#unmatched} without a match by ${keys}, as ${[...this.#examples].join(', ')}`]
        : []),
      ...(this.#keyless > 0 ? [`${this.#keyless} without a value in ${keys}`] : []),
    ]
    return parts.length === 0 ? [] : [`${where}: records not joined with ${this.#file}: ${parts.join('; ')}`]
  }

  #find(record: JsonObject, faults: RecordFault[]): JoinedRecord | undefined {
    const key = this.#keyOf(record, this.#owns)
    if (key === undefined) {
      this.#keyless++
      return undefined
    }
    const found = this.#records.get(key)
    const shown = JSON.stringify(key.length > 40 ? `${key.slice(0, 40)}…` : key)
    if (found === undefined) {
      this.#unmatched++
      if (this.#examples.size < SHOWN) this.#examples.add(shown)
    }
    if (found?.again === undefined) return found
    const places = `${this.#file}:${found.line} and ${this.#file}:${found.again}`
    const message = `${this.#owns.join(', ')} ${shown} is the ${this.#others.join(', ')} of ${places}: only one may have it`
    faults.push({ pointer: '', reason: 'repeated', message })
    return undefined
  }

  /** Returns the key in these columns, or undefined if a part of it is empty. A reference is keyed by its id. */
  #keyOf(record: JsonObject, columns: readonly string[]): string | undefined {
    const parts = columns.map((column, at) => {
      const value = memberAt(record, column)
      const id = isObject(value) ? value['id'] : value
      const text = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : ''
      return this.#empty[at]?.includes(text) ? '' : text
    })
    if (parts.includes('')) return undefined
    return parts.length === 1 ? parts[0] : JSON.stringify(parts)
  }
}

/** Adds joins, in order, to a mapper of rows. Ids that are digests of a row leave out what is joined. */
export function withJoins(map: RowMapper, joins: readonly JoinIndex[]): RowMapper {
  const mapJoined = (read: JsonValue, context: RecordContext): Mapped => {
    if (!isObject(read)) return map(read, context)
    const faults: RecordFault[] = []
    const record = joins.reduce((one, join) => join.joined(one, context.cells, faults), read)
    const mapped = map(record, { ...context, asRead: read })
    if (faults.length === 0) return mapped
    if ('record' in mapped) return { faults, id: mapped.record['id'] }
    return { ...mapped, faults: [...faults, ...mapped.faults] }
  }
  const notes = (where: string) => [map, ...joins].flatMap((one) => one.notes(where))
  return Object.assign(mapJoined, { unseen: map.unseen, notes })
}
