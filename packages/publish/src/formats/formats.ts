/** The registry of file formats. */

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

/** All formats, in the order in which they are tried on text with an unknown file extension and offered as downloads. */
const FORMATS: Format[] = [json, ndjson, csv, tsv, markdown, yaml, xlsx, parquet, geojson]

/** Returns all formats, in the order in which they are tried on a file. */
export function formats(): readonly Format[] {
  return FORMATS
}

/** Returns the names of all formats. */
export function formatNames(): string[] {
  return FORMATS.map(({ name }) => name)
}

/** Registers a format for this process. It is tried before all others. @throws TypeError if its name is taken */
export function registerFormat(format: Format): void {
  if (formatNamed(format.name)) throw new TypeError(`There is a format ${format.name} already.`)
  FORMATS.unshift(format)
}

/** Returns the format with this name, or undefined if there is none. */
export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name)
}

/** Returns the formats that use the file extension of `file`, ignoring `.gz`. If there are several, the content decides. */
export function formatsOfFile(file: string): Format[] {
  const ending = /\.([a-z0-9]+)(?:\.gz)?$/i.exec(file)?.[1]?.toLowerCase()
  return FORMATS.filter(({ endings }) => ending !== undefined && endings.includes(ending))
}

/** A format in which entities can be written. */
export interface WrittenFormat extends Pick<Format, 'name' | 'title' | 'isBinary'>, Writer {}

/** Returns the formats in which entities can be written. */
export function writtenFormats(): WrittenFormat[] {
  return FORMATS.flatMap(({ name, title, isBinary, writer }) =>
    writer ? [{ name, title, ...(isBinary && { isBinary }), ...writer }] : [],
  )
}

/**
 * Yields the entities of one snapshot in a format, as chunks of text, or of bytes if the format is binary.
 * @throws TypeError if the format cannot write them, TooManyColumns if the type has too many attributes for a table
 */
export async function* exportPieces(
  store: Pick<Store, 'snapshot'>,
  { format, ...options }: WriteOptions & { readonly format: string },
): AsyncGenerator<string | Uint8Array> {
  const writer = formatNamed(format)?.writer
  if (writer === undefined) throw new TypeError(`${format} is no format that entities are written in`)
  if (options.type === undefined && !writer.holdsTypes) throw new TypeError(`${format} holds one type`)
  const snapshot = await store.snapshot()
  try {
    yield* await writer.write(snapshot, options)
  } finally {
    await snapshot.close()
  }
}
