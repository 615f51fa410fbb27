/** What can be taken of a world at once: everything, or a type in one of several formats. */
import type { JsonObject } from '@worldwright/client/protocol'

/** The formats that a type can be taken in; everything comes as `ndjson`. */
export type DownloadFormat = 'ndjson' | 'csv' | 'parquet' | 'geojson'

/** What is made as downloads are: their formats, all sitemaps in one file, the feed. */
export type MadeFormat = DownloadFormat | 'sitemap' | 'feed'

/** One download, as it is asked for and made. Plain data, so that another process can make it. */
export interface Download {
  readonly format: MadeFormat
  /** Absent: everything. */
  readonly type?: string
  /** The JSON Schema of the type's attributes. */
  readonly schema?: JsonObject
  /** Of sitemaps: the types that have a page, with entities or without. */
  readonly types?: readonly string[]
  /** Words that the file carries along: the world, its licence, whom to name. */
  readonly about: Readonly<Record<string, string>>
}

/** A download that is ready, as a file of this machine. */
export interface DownloadFile {
  /** Absolute. */
  readonly path: string
  readonly size: number
  /** The SHA-256 digest of its bytes, in base64. */
  readonly digest: string
  /** When it was begun, in RFC 3339: what was written later is not in it. */
  readonly madeAt: string
}

/**
 * Why there is no file. `preparing`: it is being made, and takes longer than a request waits; `full`: the disk, or the
 * room for downloads, is too small; `too_wide`: the type has too many attributes for a table; `damaged`: an entity is not what
 * was written.
 */
export type NoFile = 'preparing' | 'full' | 'too_wide' | 'damaged'

/** Has the files of downloads, and makes them. */
export interface DownloadFiles {
  /** The file of a download, made if there is none yet, or the newest is too old. */
  file(download: Download): Promise<DownloadFile | NoFile>
}

/** How a format is announced, and what it leaves out. */
export interface FormatDescription {
  readonly mediaType: string
  /** What it cannot hold, in words; absent if it holds everything. */
  readonly loses?: string
}

/** The formats, in the order in which they are offered. */
export const FORMATS: Readonly<Record<DownloadFormat, FormatDescription>> = {
  ndjson: { mediaType: 'application/x-ndjson' },
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    loses:
      'Types of values; null, empty and missing are one; lists and objects are JSON. Texts that a spreadsheet would run as formulas get an apostrophe in front. No times or revisions.',
  },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    loses: 'Null and missing are one; lists, objects and mixed values are JSON. No times or revisions.',
  },
  geojson: {
    mediaType: 'application/geo+json',
    loses: 'Places on other bodies than the Earth are not told apart. No times or revisions.',
  },
}

/** The formats that a type can be taken in: GeoJSON only where its schema has a place. */
export function formatsOf(hasPlaces: boolean): DownloadFormat[] {
  return (Object.keys(FORMATS) as DownloadFormat[]).filter((format) => format !== 'geojson' || hasPlaces)
}
