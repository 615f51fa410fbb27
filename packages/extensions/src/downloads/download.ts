/** What can be taken of a world at once: everything, or a type in one of several formats. */
import type { JsonObject } from '@worldwright/client/protocol'

/** A format that downloads are offered in. */
export interface DownloadFormat {
  /** The ending of its files. */
  readonly name: string
  /** As people call it. */
  readonly title: string
  readonly mediaType: string
  /** What it cannot hold, in words; absent if it holds everything. */
  readonly loses?: string
  /** Holds entities of several types, so that everything can be taken in it. */
  readonly holdsTypes?: true
  /** Tells if a type of this schema can be written; absent: each can. */
  canHold?(schema: JsonObject | undefined): boolean
}

/** One download, as it is asked for and made. Plain data, so that another process can make it. */
export interface Download {
  /** The name of a format; or `sitemap` for all sitemaps in one file, or `feed`. */
  readonly format: string
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
