/** The registry of file formats: the only list of them. */

import type { Store } from '@worldwright/core/store'
import type { Format, WriteOptions, Writer } from './contract/format.ts'
import { csv, tsv } from './csv.ts'
import { geojson } from './geojson.ts'
import { json } from './json.ts'
import { markdown } from './markdown.ts'
import { ndjson } from './ndjson.ts'
import { parquet } from './parquet.ts'
import { xlsx } from './xlsx.ts'
import { yaml } from './yaml.ts'

/** All formats, in the order in which text of unknown ending is sniffed and downloads are offered. */
const FORMATS: Format[] = [json, ndjson, csv, tsv, markdown, yaml, xlsx, parquet, geojson]

/** Returns all formats, in the order in which they recognize files. */
export function formats(): readonly Format[] {
  return FORMATS
}

/** Returns the names of all formats. */
export function formatNames(): string[] {
  return FORMATS.map(({ name }) => name)
}

/** Registers a format in this process. It recognizes files before the others do. @throws TypeError if its name is taken */
export function registerFormat(format: Format): void {
  if (formatNamed(format.name)) throw new TypeError(`There is a format ${format.name} already.`)
  FORMATS.unshift(format)
}

/** Returns the format of that name. */
export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name)
}

/** Returns the formats of a file's ending, with or without `.gz`; several if its text has to decide. */
export function formatsOfFile(file: string): Format[] {
  const ending = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  return FORMATS.filter(({ endings }) => ending !== undefined && endings.includes(ending))
}

/** A format that entities can be written in. */
export interface WrittenFormat extends Pick<Format, 'name' | 'title' | 'isBinary'>, Writer {}

/** Returns the formats that entities can be written in. */
export function writtenFormats(): WrittenFormat[] {
  return FORMATS.flatMap(({ name, title, isBinary, writer }) =>
    writer ? [{ name, title, ...(isBinary && { isBinary }), ...writer }] : [],
  )
}

/**
 * Writes entities of one snapshot in a format, piece by piece: text, or bytes if it is binary.
 * @throws TypeError if the format cannot write these, TooManyColumns if the type is too wide for a table
 */
export async function* exportPieces(
  storage: Pick<Store, 'snapshot'>,
  { format, ...options }: WriteOptions & { readonly format: string },
): AsyncGenerator<string | Uint8Array> {
  const writer = formatNamed(format)?.writer
  if (writer === undefined) throw new TypeError(`${format} is no format that entities are written in`)
  if (options.type === undefined && !writer.holdsTypes) throw new TypeError(`${format} holds one type`)
  const snapshot = await storage.snapshot()
  try {
    yield* await writer.write(snapshot, options)
  } finally {
    await snapshot.close()
  }
}
