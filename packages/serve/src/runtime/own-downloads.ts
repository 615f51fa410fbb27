/** The downloads of a served world, which its primary process makes and keeps for all. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import type { StoreLocation } from '@worldwright/engines'
import { type DownloadFiles, DownloadFolder } from '@worldwright/extensions/downloads'
import { runInThread } from '../loading/run-in-thread.ts'
import type { Log } from '../log/log.ts'
import type { Settings } from '../open/settings.ts'

/** What comes after the name of the store's file in that of the folder. */
const DOWNLOADS = '.downloads'

const MEGABYTE = 1024 * 1024

/** Downloads that are being served. */
export interface OwnDownloads {
  readonly files: DownloadFiles
  /** Ends what is being made, and leaves no file that nobody would find again. */
  close(): Promise<void>
}

/**
 * Opens the folder beside the store; a temporary one where nothing may be written there. Undefined if the settings
 * want neither them nor pages, whose sitemaps lie there as well. Each download is made in a thread, with a connection of its own.
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
