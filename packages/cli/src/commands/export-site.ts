import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Store } from '@worldwright/core/store'
import type { Download, DownloadFile, DownloadFiles, NoFile } from '@worldwright/extensions/downloads'
import { storyPath } from '@worldwright/extensions/pages'
import { keptWorldId, readLook, readStories, worldId } from '@worldwright/publish'
import { makeDownload } from '@worldwright/serve/loading'
import { createLog } from '@worldwright/serve/log'
import {
  attachmentsFolder,
  existingWorkspace,
  openExplorer,
  type SettingFlags,
  settingsFrom,
  type Workspace,
  warnIfPartial,
  withReader,
  withStore,
} from '@worldwright/serve/open'
import { composeWithActions } from '@worldwright/serve/runtime'
import { count, type Io, say, UsageFault } from '@worldwright/serve/terminal'
import { SiteFolder } from '../site/site-folder.ts'
import { ENTITIES_PATH, writeSite } from '../site/write-site.ts'

/** Flags of `world export` that apply with `--site`. */
export interface SiteOptions extends SettingFlags {
  readonly site: string
  /** Exports the world even if it is private. */
  readonly publishPrivate?: true
}

/** Exports a world to a folder as static files and prints the file count. If the export fails, the folder is unchanged. */
export async function exportSite(path: string | undefined, options: SiteOptions, io: Io): Promise<number> {
  const { site, publishPrivate, ...flags } = options
  const other = ['type', 'format', 'output', 'keepFormulas'].find((name) => flags[name] !== undefined)
  if (other !== undefined) throw new UsageFault(`--site writes the whole world: leave out --${other}`)
  const workspace = await existingWorkspace(path, flags['store'] as string | undefined, io)
  const settings = settingsFrom(workspace.definition, flags, io)
  const { publicUrl, apiUrl } = settings
  if (publicUrl === undefined)
    throw new UsageFault('The files contain their address. Name it with --public-url https://sol.example')
  if (apiUrl !== undefined)
    throw new UsageFault('A world of files has its API at the usual path. Leave out apiUrl.')
  if (settings.private && !publishPrivate)
    throw new UsageFault(
      'This world is private, and files are for everybody who reaches them. If this is intended: --publish-private',
    )
  const folder = await SiteFolder.open(resolve(io.cwd, site))
  try {
    await withReader(workspace.store, async (store) => {
      await warnIfPartial(store, io)
      await writeWorld(
        workspace,
        { ...settings, private: false, downloads: true, pages: true, accessLog: false },
        { store, folder, io },
      )
    })
    const { files, bytes, changed } = await folder.commit()
    const size = (bytes / 1024 / 1024).toFixed(1)
    say(io, `Wrote ${count(files, 'file')}, ${size} MB, to ${site}; ${changed.toLocaleString('en')} changed.`)
  } catch (error) {
    await folder.abort()
    throw error
  }
  return 0
}

async function writeWorld(
  workspace: Workspace,
  settings: ReturnType<typeof settingsFrom>,
  { store, folder, io }: { readonly store: Store; readonly folder: SiteFolder; readonly io: Io },
): Promise<void> {
  const { definition, file, store: url } = workspace
  const id =
    (await keptWorldId(definition, store)) ?? (await withStore(url, (own) => worldId(definition, own)))
  const explorer = await openExplorer()
  if (explorer === undefined)
    throw new UsageFault('The explorer was not built: npm run build -w @worldwright/explorer')
  const attachments = attachmentsFolder(definition.attachments, workspace.folder, file)
  const stories = file === undefined ? [] : await readStories(workspace.folder)
  const look = file === undefined ? {} : await readLook({ ...workspace, file })
  const downloads = await mkdtemp(join(tmpdir(), 'worldwright-site-'))
  const log = await createLog('text', (lines) => io.stderr.write(lines))
  try {
    const served = {
      id,
      definition,
      settings,
      stories,
      look,
      ...(attachments && { attachments }),
    }
    const files = new OwnFiles(url, downloads, io.signal)
    const handler = await composeWithActions(served, {
      store,
      explorer,
      log,
      downloads: files,
      images: false,
      entityFiles: ENTITIES_PATH,
    })
    const pictures = [look.picture, look.logo].filter((one) => one !== undefined)
    const assets = [...explorer.files, ...pictures].map((one) => one.path).filter((one) => one !== '/')
    await writeSite(
      { handler, store, attachments, assets, stories: stories.map(storyPath), signal: io.signal },
      folder,
    )
  } finally {
    await rm(downloads, { recursive: true })
  }
}

/** Creates each download of an export when it is first requested. */
class OwnFiles implements DownloadFiles {
  readonly #store: string
  readonly #folder: string
  readonly #signal: AbortSignal
  readonly #made = new Map<string, DownloadFile>()

  constructor(store: string, folder: string, signal: AbortSignal) {
    this.#store = store
    this.#folder = folder
    this.#signal = signal
  }

  async file(download: Download): Promise<DownloadFile | NoFile> {
    const key = JSON.stringify(download)
    const known = this.#made.get(key)
    if (known) return known
    const path = join(this.#folder, String(this.#made.size))
    try {
      const input = { store: this.#store, download, path, maxBytes: Number.POSITIVE_INFINITY }
      const made = {
        ...(await makeDownload(input, undefined, this.#signal)),
        path,
        madeAt: new Date().toISOString(),
      }
      this.#made.set(key, made)
      return made
    } catch (error) {
      if ((error as Error).name === 'TooManyColumns') return 'too_wide'
      if ((error as Error).name === 'TableTooLarge') return 'too_large'
      throw error
    }
  }
}
