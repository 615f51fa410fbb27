/** Creates and stores the downloads of a served world in the primary, for all processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import { type DownloadFiles, DownloadFolder } from '@worldwright/extensions/downloads'
import { runInThread } from '../loading/run-in-thread.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** Suffix of the download folder, which is named after the store file. */
const DOWNLOADS = '.downloads'

const MEGABYTE = 1024 * 1024

/** Downloads of a served world. */
export interface OwnDownloads {
  readonly files: DownloadFiles
  /** Stops downloads in progress, and deletes the folder if it is temporary. */
  close(): Promise<void>
}

/**
 * Opens the download folder next to the store, or a temporary one if the store is read-only or has no file. Returns
 * undefined if neither downloads nor pages (whose sitemaps are stored there) are enabled. Creates downloads in threads.
 */
export async function openDownloads(
  { downloads, pages, downloadSpace, readOnly }: Settings,
  location: StoreLocation,
  store: Store,
  log: Pick<Log, 'report'>,
): Promise<OwnDownloads | undefined> {
  if (!downloads && !pages) return undefined
  const isLasting = location.file !== undefined && !readOnly
  const folder = isLasting
    ? location.file + DOWNLOADS
    : await mkdtemp(join(tmpdir(), 'worldwright-downloads-'))
  const ending = new AbortController()
  const files = new DownloadFolder({
    store,
    folder,
    maxBytes: downloadSpace * MEGABYTE,
    async make(download, path, maxBytes) {
      const input = { store: location.url, download, path, maxBytes }
      const run = runInThread({ task: 'makeDownload', input }, { signal: ending.signal })
      for (let step = await run.next(); ; step = await run.next()) if (step.done) return step.value
    },
    failed(error) {
      if (!ending.signal.aborted)
        log.report('warn', `A download could not be made: ${(error as Error).message}`)
    },
  })
  return {
    files,
    async close() {
      ending.abort()
      if (!isLasting) await rm(folder, { recursive: true, force: true })
    },
  }
}
