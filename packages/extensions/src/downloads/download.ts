/** Downloads of a world: everything, or one type in one of several formats. */
import type { JsonObject } from '@worldwright/client/protocol'

/** A format in which downloads are offered. */
export interface DownloadFormat {
  /** The extension of its files. */
  readonly name: string
  /** Display name. */
  readonly title: string
  readonly mediaType: string
  /** Data that the format cannot represent, in words; absent if it represents everything. */
  readonly loses?: string
  /** Set if it holds entities of several types, so that everything can be downloaded in it. */
  readonly holdsTypes?: true
  /** Reports whether a type with this schema can be written; absent: every type can. */
  canHold?(schema: JsonObject | undefined): boolean
}

/** One download, as it is requested and made. Plain data, so that another process can make it. */
export interface Download {
  /** The name of a format; or `sitemap` for all sitemaps in one file, or `feed`. */
  readonly format: string
  /** Absent: everything. */
  readonly type?: string
  /** The JSON Schema of the type's attributes. */
  readonly schema?: JsonObject
  /** For sitemaps: the types that have a page, with entities or without. */
  readonly types?: readonly string[]
  /** Texts that the file carries: the world, its licence, its attribution. */
  readonly about: Readonly<Record<string, string>>
}

/** A finished download, as a local file. */
export interface DownloadFile {
  /** Absolute. */
  readonly path: string
  readonly size: number
  /** The SHA-256 digest of its bytes, in base64. */
  readonly digest: string
  /** Start of the making, in RFC 3339: later writes are not in the file. */
  readonly madeAt: string
}

/**
 * Reason that there is no file. `preparing`: making it takes longer than a request waits; `full`: the disk, or the
 * space for downloads, is too small; `too_wide`: the type has too many attributes for a table; `damaged`: a stored entity is
 * damaged.
 */
export type NoFile = 'preparing' | 'full' | 'too_wide' | 'damaged'

/** Provides the files of downloads, and makes them. */
export interface DownloadFiles {
  /** Returns the file of a download, making it if there is none or the newest is too old. */
  file(download: Download): Promise<DownloadFile | NoFile>
}
