/** Creates a download in a thread, so that reading a whole type does not delay responses. */

import type { Store } from '@worldwright/core/store'
import { type Download, type WrittenFile, writeFile } from '@worldwright/extensions/downloads'
import { feedPieces, sitemapPieces } from '@worldwright/extensions/pages'
import { exportPieces } from '@worldwright/publish'
import { withReader } from '../open/workspace.ts'

/** A download and the file to write it to. */
export interface DownloadInput {
  /** URL of the store. */
  readonly store: string
  readonly download: Download
  /** Absolute path of the new file. */
  readonly path: string
  readonly maxBytes: number
}

/** Writes a download from one snapshot. @throws the errors of `writeFile` and `exportPieces` */
export function makeDownload(
  { store: url, download, path, maxBytes }: DownloadInput,
  _postEvent: unknown,
  signal: AbortSignal,
): Promise<WrittenFile> {
  return withReader(url, (store) => writeFile(piecesOf(store, download), path, { maxBytes, signal }))
}

async function* piecesOf(
  store: Store,
  { format, ...download }: Download,
): AsyncGenerator<string | Uint8Array> {
  const { about, pages = [], type = '' } = download
  if (format === 'sitemap') return yield* sitemapPieces(store, about['origin'] ?? '', pages)
  if (format === 'feed') return yield* feedPieces(store, about)
  const count = (await store.types()).get(type)?.count
  yield* exportPieces(store, { format, ...download, count })
}
