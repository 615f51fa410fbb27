/** Downloads of a whole world or of a single type, in several formats. */
import type { JsonObject } from '@worldwright/client/protocol'

/** Format in which downloads are offered. */
export interface DownloadFormat {
  /** File extension, without the dot. */
  readonly name: string
  /** Display name. */
  readonly title: string
  readonly mediaType: string
  /** Description of the data that this format loses. Absent if it can represent everything. */
  readonly loses?: string
  /** Set if a file can contain entities of several types, so that the whole world can be downloaded in this format. */
  readonly holdsTypes?: true
  /** Set if the titles of referenced entities can be added on request. */
  readonly hasTitles?: true
  /** Reports whether the format can represent a type with this schema. Absent if it can represent every type. */
  canHold?(schema: JsonObject | undefined): boolean
}

/** Requested download. Plain data, so that it can be sent to another process for generation. */
export interface Download {
  /** Name of a format; `sitemap` for all sitemaps in one file, or `feed`. */
  readonly format: string
  /** Type to download. Absent for the whole world. */
  readonly type?: string
  /** JSON Schema of the type's attributes. */
  readonly schema?: JsonObject
  /** Set to add the titles of referenced entities, which may be of other types. */
  readonly titles?: true
  /** For sitemaps: paths of the pages that are not those of entities. */
  readonly pages?: readonly string[]
  /** Metadata to embed in the file, such as the world, its licence and its attribution. */
  readonly about: Readonly<Record<string, string>>
}

/** Finished download as a local file. */
export interface DownloadFile {
  /** Absolute path. */
  readonly path: string
  readonly size: number
  /** SHA-256 digest of the bytes, in base64. */
  readonly digest: string
  /** Time at which generation began, in RFC 3339. Later writes may be missing from the file. */
  readonly madeAt: string
}

/**
 * Reason why there is no file. `preparing`: generation takes longer than the maximum wait. `full`: there is not enough disk
 * space or download space. `too_wide`: the type has too many attributes for a table. `too_large`: it has too many cells, or a
 * text that is too long, for the format. `damaged`: a stored entity is damaged.
 */
export type NoFile = 'preparing' | 'full' | 'too_wide' | 'too_large' | 'damaged'

/** Provides download files, and generates them when needed. */
export interface DownloadFiles {
  /** Returns the file of a download. Generates a new file if there is none or the newest is out of date. */
  file(download: Download): Promise<DownloadFile | NoFile>
  /**
   * Generates the first file of a large type, so that no request has to wait for it. Never rejects. Absent if another process
   * generates the files.
   */
  prepare?(download: Download): Promise<void>
}
