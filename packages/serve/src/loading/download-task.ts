/** Makes a download in a thread: reading a whole type here would make answers wait. */

import type { Store } from '@worldwright/core/store'
import { type Download, type WrittenFile, writeFile } from '@worldwright/extensions/downloads'
import { feedPieces, sitemapPieces } from '@worldwright/extensions/pages'
import { exportPieces } from '@worldwright/publish'
import { withReader } from '../open/workspace.ts'

/** A download, and the new file to write it to. */
export interface DownloadInput {
  /** The URL of the store. */
  readonly store: string
  readonly download: Download
  /** Absolute. */
  readonly path: string
  readonly maxBytes: number
}

/** Writes the file from one snapshot. @throws as `writeFile` and `exportPieces` */
export function makeDownload(
  { store, download, path, maxBytes }: DownloadInput,
  _postEvent: unknown,
  signal: AbortSignal,
): Promise<WrittenFile> {
  return withReader(store, (storage) => writeFile(piecesOf(storage, download), path, { maxBytes, signal }))
}

function piecesOf(storage: Store, { format, ...download }: Download): AsyncIterable<string | Uint8Array> {
  if (format === 'sitemap')
    return sitemapPieces(storage, download.about['origin'] ?? '', download.types ?? [])
  if (format === 'feed') return feedPieces(storage, download.about)
  return exportPieces(storage, { format, ...download })
}
