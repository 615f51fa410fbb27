/** Downloads of a served world, which its primary makes and keeps for all processes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import { type DownloadFiles, DownloadFolder } from '@worldwright/extensions/downloads'
import { runInThread } from '../loading/run-in-thread.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** Suffix of the folder's name, after the name of the store's file. */
const DOWNLOADS = '.downloads'

const MEGABYTE = 1024 * 1024

/** Downloads of the world that is being served. */
export interface OwnDownloads {
  readonly files: DownloadFiles
  /** Stops downloads in progress, and leaves no file that would be lost. */
  close(): Promise<void>
}

/**
 * Opens the folder beside the store, or a temporary one if the store is read-only or in no file. Undefined if the settings want
 * neither downloads nor pages, whose sitemaps are in it too. Each download is made in a thread, with its own connection.
 */
export async function openDownloads(
  { downloads, pages, downloadSpace, readOnly }: Settings,
  store: StoreLocation,
  storage: Store,
  log: Pick<Log, 'report'>,
): Promise<OwnDownloads | undefined> {
  if (!downloads && !pages) return undefined
  const isLasting = store.file !== undefined && !readOnly
  const folder = isLasting ? store.file + DOWNLOADS : await mkdtemp(join(tmpdir(), 'worldwright-downloads-'))
  const ending = new AbortController()
  const files = new DownloadFolder({
    storage,
    folder,
    maxBytes: downloadSpace * MEGABYTE,
    async make(download, path, maxBytes) {
      const input = { store: store.url, download, path, maxBytes }
      const run = runInThread({ task: 'makeDownload', input }, { signal: ending.signal })
      for (let step = await run.next(); ; step = await run.next()) if (step.done) return step.value
    },
    failed: (error) => log.report('warn', `A download could not be made: ${(error as Error).message}`),
  })
  return {
    files,
    async close() {
      ending.abort()
      if (!isLasting) await rm(folder, { recursive: true, force: true })
    },
  }
}
