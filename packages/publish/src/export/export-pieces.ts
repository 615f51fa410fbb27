/** Entities in the formats that others read, each from one snapshot and piece by piece. */
import type { JsonObject } from '@worldwright/client/protocol'
import { ndjsonExport } from '@worldwright/server/entities'
import type { Storage } from '@worldwright/server/storage'
import { csvExport } from './csv-export.ts'
import { geoJsonExport } from './geojson-export.ts'

/** The formats that entities are written in. All but `ndjson` hold one type. */
export type ExportFormat = 'ndjson' | 'csv' | 'parquet' | 'geojson'

/** Which entities are written, and how. */
export interface Export {
  readonly format: ExportFormat
  /** Absent: all, which NDJSON alone can hold. */
  readonly type?: string | undefined
  /** The JSON Schema of the type's attributes. */
  readonly schema?: JsonObject | undefined
  /** Words about the data that Parquet and GeoJSON carry along. */
  readonly about?: Readonly<Record<string, string>>
  /** Of CSV: texts that a spreadsheet would run stay as they are. */
  readonly keepFormulas?: boolean
  /** Of CSV: is told at the end how many texts were changed, where any were. */
  readonly escaped?: (cells: number) => void
}

/**
 * The pieces of an export: text, and bytes for Parquet.
 * @throws TooManyColumns where the type is too wide for a table
 */
export async function* exportPieces(
  storage: Pick<Storage, 'snapshot'>,
  { format, type, ...options }: Export,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'ndjson') return yield* ndjsonExport(storage, type)
  if (type === undefined) throw new TypeError(`${format} holds one type`)
  if (format === 'csv') return yield* csvExport(storage, type, options)
  if (format === 'geojson') return yield* geoJsonExport(storage, type, options)
  // The library is loaded only here.
  const { parquetExport } = await import('./parquet-export.ts')
  yield* parquetExport(storage, type, options)
}
