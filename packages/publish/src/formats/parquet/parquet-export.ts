import type { Entity, JsonValue } from '@worldwright/client/protocol'
import type { Snapshot } from '@worldwright/core/store'
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import type { WriteOptions } from '../contract/format.ts'
import { type ColumnKind, FIRST_COLUMNS, type TableColumn, tableColumns } from '../table/export-columns.ts'

/** Maximum number of rows per group. Readers fetch one group at a time, and the writer buffers one. */
const GROUP_ROWS = 20_000
/** Length of a row group's JSON, in characters, at which the group ends early. */
const GROUP_CHARACTERS = 16 * 1024 * 1024

const TYPES: Readonly<Record<ColumnKind, BasicType>> = {
  string: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  json: 'JSON',
}

/**
 * Yields the bytes of the file. Its columns are id, title, summary and each attribute, typed by the column's values. Missing
 * values are written as null. Lists, objects and columns of mixed kinds are written as JSON.
 * @throws TooManyColumns
 */
export async function* parquetExport(
  snapshot: Snapshot,
  { type, schema, about = {} }: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const file = new ParquetFile(await tableColumns(snapshot, type, schema), about)
  let rows: Entity[] = []
  let characters = 0
  for await (const { json } of snapshot.entities(type)) {
    rows.push(JSON.parse(json))
    characters += json.length
    if (rows.length < GROUP_ROWS && characters < GROUP_CHARACTERS) continue
    yield file.group(rows)
    rows = []
    characters = 0
  }
  if (rows.length > 0) yield file.group(rows)
  yield file.end()
}

class ParquetFile {
  readonly #columns: readonly TableColumn[]
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter

  constructor(columns: readonly TableColumn[], about: Readonly<Record<string, string>>) {
    this.#columns = columns
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaFromColumnData({ columnData: this.#data([]) }),
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
      createdBy: 'worldwright',
    })
  }

  /** Writes a row group and returns its bytes. */
  group(rows: readonly Entity[]): Uint8Array {
    this.#writer.write({ columnData: this.#data(rows), rowGroupSize: rows.length })
    return this.#taken()
  }

  /** Writes the footer, which readers read first, and returns its bytes. */
  end(): Uint8Array {
    this.#writer.finish()
    return this.#taken()
  }

  /** Removes and returns the bytes written so far. Keeps the file offset, to which later parts refer. */
  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    return bytes
  }

  #data(rows: readonly Entity[]) {
    return [
      ...FIRST_COLUMNS.map((name) => ({
        name,
        type: 'STRING' as const,
        data: rows.map((row) => row[name] ?? null),
        nullable: name !== 'id',
      })),
      ...this.#columns.map(({ attribute, name, kind }) => ({
        name,
        type: TYPES[kind],
        data: rows.map(({ attributes }) =>
          Object.hasOwn(attributes, attribute) ? cellOf(attributes[attribute], kind) : null,
        ),
        nullable: true,
      })),
    ]
  }
}

function cellOf(value: JsonValue | undefined, kind: ColumnKind) {
  if (value === null || value === undefined) return null
  return kind === 'integer' ? BigInt(value as number) : value
}
