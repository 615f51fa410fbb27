/** What makes a download in its thread: everything that reads a whole type, so that no answer waits for it. */

import { exportPieces } from '@worldwright/publish'
import { type Download, writeFile } from '@worldwright/server/downloads'
import { withReader } from '../open/workspace.ts'

/** A download, and the new file that it becomes. */
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
) {
  return withReader(store, (storage) =>
    writeFile(exportPieces(storage, download), path, { maxBytes, signal }),
  )
}
