/** Folder of downloads. Each download is generated once per version of its data, and the total size is bounded. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import { positionNow, type Store } from '@worldwright/core/store'
import type { Download, DownloadFile, DownloadFiles, NoFile } from './download.ts'
import type { WrittenFile } from './write-file.ts'

/** Options for a download folder. */
export interface FolderOptions {
  readonly store: Pick<Store, 'types' | 'changes'>
  /** Absolute path, created if missing. The folder must not contain anything else. */
  readonly folder: string
  /** Writes a download to a new file of at most `maxBytes`. Must leave nothing behind on failure, as `writeFile` does. */
  readonly make: (download: Download, path: string, maxBytes: number) => Promise<WrittenFile>
  /** Maximum total size of all files, in bytes. A new file never takes more than half of the free disk space. */
  readonly maxBytes: number
  /** Called with the cause of a `full` or `damaged` result. Clients do not see this error. */
  readonly failed?: (error: unknown) => void
  /** Returns the time in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number
  /** Maximum time that a request waits for a file to be generated, in milliseconds. */
  readonly waitMs?: number
  /** Least number of entities of a type whose files are prepared. */
  readonly preparedFrom?: number
}

/** File generated for a download from one version of its data. */
interface Kept extends DownloadFile {
  /** Digest that identifies the download, regardless of its data version. */
  readonly name: string
  /** Identifies the version of the data. */
  readonly version: string
  readonly tookMs: number
  readonly usedAt: number
}

/** Default wait, in milliseconds, which is shorter than common proxy timeouts. */
const WAIT_MS = 25_000
/** Default of `preparedFrom`: files of fewer entities are generated within a few seconds of a request. */
const PREPARED_FROM = 200_000
/** Minimum interval before a download is regenerated, as a multiple of the time that the last generation took. */
const MAKING_PART = 10
/** Minimum age of a file before it is replaced, in milliseconds: `Last-Modified` has a resolution of one second. */
const LEAST_AGE_MS = 1_000
/** Retention of a replaced file after its last use, in milliseconds. Clients may still be requesting ranges of it. */
const REPLACED_MS = 10 * 60_000
/** Version of the file format, which is part of every download's version. */
const FORM = '1'
const DESCRIPTION = '.json'

/** Owns the folder, which only one process may use at a time. Generates one file at a time, and prepares one beside it. */
export class DownloadFolder implements DownloadFiles {
  readonly #options: FolderOptions
  readonly #now: () => number
  /** Files of each download, by name and oldest first. The last file is current. */
  readonly #kept = new Map<string, Kept[]>()
  readonly #making = new Map<string, Promise<Kept | NoFile>>()
  /** Failed downloads by name, each with the reason and the earliest time of a retry. */
  readonly #refused = new Map<string, { readonly reason: NoFile; readonly until: number }>()
  #turn: Promise<unknown> = Promise.resolve()
  #opened: Promise<void> | undefined

  constructor(options: FolderOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Returns the newest file. Generates one if there is none, or if the data changed and the newest is older than both one
   * second and ten times its generation time. A failure is retried after the same delay. Concurrent requests share a run.
   */
  async file(download: Download): Promise<DownloadFile | NoFile> {
    this.#opened ??= this.#open()
    await this.#opened
    const name = nameOf(download)
    const version = await this.#versionOf(download)
    const newest = await this.#newest(name)
    if (newest && (newest.version === version || this.#isRecent(newest))) return this.#used(newest)
    const refused = this.#refused.get(name)
    if (refused && this.#now() < refused.until) return newest ? this.#used(newest) : refused.reason
    const making = this.#making.get(name) ?? this.#begin(name, version, download)
    const made = await inTime(making, this.#options.waitMs ?? WAIT_MS)
    if (typeof made !== 'string') return this.#used(made)
    return newest === undefined ? made : this.#used(newest)
  }

  async prepare(download: Download): Promise<void> {
    const { store, preparedFrom = PREPARED_FROM, failed } = this.#options
    try {
      this.#opened ??= this.#open()
      await this.#opened
      const { count = 0 } = (await store.types()).get(download.type ?? '') ?? {}
      const name = nameOf(download)
      if (count < preparedFrom || this.#refused.has(name) || (await this.#newest(name))) return
      const version = await this.#versionOf(download)
      await (this.#making.get(name) ?? this.#begin(name, version, download, true))
    } catch (error) {
      failed?.(error)
    }
  }

  async #versionOf({ type, schema, pages, about, titles }: Download): Promise<string> {
    const { store } = this.#options
    const data =
      type === undefined || titles ? await positionNow(store) : (await store.types()).get(type)?.version
    return digestOf(FORM, data ?? '', JSON.stringify([schema, pages, about]))
  }

  #isRecent({ madeAt, tookMs }: Kept): boolean {
    return this.#now() - Date.parse(madeAt) < Math.max(tookMs * MAKING_PART, LEAST_AGE_MS)
  }

  /** Returns the newest file if it still exists on disk, since the folder may have been emptied. */
  async #newest(name: string): Promise<Kept | undefined> {
    const kept = this.#kept.get(name)?.at(-1)
    if (kept === undefined || (await stat(kept.path).catch(() => undefined))?.size === kept.size) return kept
    this.#kept.delete(name)
    return undefined
  }

  #used(kept: Kept): DownloadFile {
    const files = this.#kept.get(kept.name) ?? []
    const at = files.findIndex(({ path }) => path === kept.path)
    if (at >= 0) files[at] = { ...kept, usedAt: this.#now() }
    const { path, size, digest, madeAt } = kept
    return { path, size, digest, madeAt }
  }

  #begin(name: string, version: string, download: Download, isPrepared = false): Promise<Kept | NoFile> {
    const making = this.#turn.then(() => this.#make(name, version, download))
    // Requests for other files do not wait for one that is prepared.
    if (!isPrepared) this.#turn = making.catch(() => {})
    this.#making.set(name, making)
    making.catch(() => {}).finally(() => this.#making.delete(name))
    return making
  }

  async #make(name: string, version: string, download: Download): Promise<Kept | NoFile> {
    const { folder, make, failed } = this.#options
    const begun = this.#now()
    const path = join(folder, `${name}-${version}-${begun.toString(36)}.${download.format}`)
    try {
      await mkdir(folder, { recursive: true })
      await this.#removeReplaced()
      const written = await make(download, path, await this.#room())
      const madeAt = new Date(begun).toISOString()
      const kept = { ...written, name, version, path, madeAt, tookMs: this.#now() - begun, usedAt: begun }
      await write(`${path}.new`, JSON.stringify(kept))
      await rename(`${path}.new`, path + DESCRIPTION)
      this.#kept.set(name, [...(this.#kept.get(name) ?? []), kept])
      this.#refused.delete(name)
      await this.#makeRoom(kept)
      return kept
    } catch (error) {
      await this.#remove(path)
      const reason = REASONS[codeOf(error)]
      if (reason === undefined) throw error
      if (!OF_THE_TYPE.has(reason)) failed?.(error)
      const now = this.#now()
      this.#refused.set(name, { reason, until: now + (now - begun) * MAKING_PART })
      return reason
    }
  }

  /** Returns the maximum size of a new file, in bytes. Half of the free disk space is left to the store. */
  async #room(): Promise<number> {
    const { folder, maxBytes } = this.#options
    const { bavail, bsize } = await statfs(folder)
    return Math.min(maxBytes, Math.floor((bavail * bsize) / 2))
  }

  /** Evicts the least recently used files, but not `made`, until the total size is within the limit. */
  async #makeRoom(made: Kept): Promise<void> {
    const others = this.#all()
      .filter((kept) => kept !== made)
      .toSorted((one, other) => one.usedAt - other.usedAt)
    let bytes = others.reduce((sum, { size }) => sum + size, made.size)
    for (const kept of others) {
      if (bytes <= this.#options.maxBytes) return
      bytes -= kept.size
      await this.#forget(kept)
    }
  }

  async #removeReplaced(): Promise<void> {
    for (const files of this.#kept.values()) {
      for (const kept of files.slice(0, -1))
        if (this.#now() - kept.usedAt > REPLACED_MS) await this.#forget(kept)
    }
  }

  #all(): Kept[] {
    return [...this.#kept.values()].flat()
  }

  async #forget(kept: Kept): Promise<void> {
    const left = (this.#kept.get(kept.name) ?? []).filter(({ path }) => path !== kept.path)
    if (left.length > 0) this.#kept.set(kept.name, left)
    else this.#kept.delete(kept.name)
    await this.#remove(kept.path)
  }

  async #remove(path: string): Promise<void> {
    await Promise.all([path, path + DESCRIPTION, `${path}.new`].map((file) => rm(file, { force: true })))
  }

  /** Adopts files left by an earlier process, and deletes incomplete ones. */
  async #open(): Promise<void> {
    const { folder } = this.#options
    const names = new Set(await readdir(folder).catch(() => []))
    const described = [...names].filter((name) => name.endsWith(DESCRIPTION))
    const found = await Promise.all(described.map((name) => keptIn(folder, name)))
    for (const kept of found.filter((one) => one !== undefined).toSorted(byAge)) {
      this.#kept.set(kept.name, [...(this.#kept.get(kept.name) ?? []), kept])
      names.delete(kept.path.slice(folder.length + 1))
      names.delete(kept.path.slice(folder.length + 1) + DESCRIPTION)
    }
    for (const name of names) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const REASONS: Readonly<Record<string, NoFile>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  NoRoom: 'full',
  TooManyColumns: 'too_wide',
  TableTooLarge: 'too_large',
  damaged: 'damaged',
}

/** Reasons that lie in the data of a type, so that no operator can remedy them. */
const OF_THE_TYPE: ReadonlySet<NoFile> = new Set(['too_wide', 'too_large'])

/** Returns the code or name of an error. An error from a worker thread loses its class but keeps its name. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: string; name?: string }
  return code !== undefined && Object.hasOwn(REASONS, code) ? code : (name ?? '')
}

function nameOf({ type, format, about, titles }: Download): string {
  // Files that contain absolute URLs differ by origin.
  return digestOf(type ?? '', format, about['origin'] ?? '', ...(titles ? ['titles'] : []))
}

function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 20)
}

function byAge(one: Kept, other: Kept): number {
  return Date.parse(one.madeAt) - Date.parse(other.madeAt)
}

async function keptIn(folder: string, name: string): Promise<Kept | undefined> {
  try {
    const kept: Kept = JSON.parse(await readFile(join(folder, name), 'utf8'))
    const path = join(folder, name.slice(0, -DESCRIPTION.length))
    const isWhole = (await stat(path)).size === kept.size
    return isWhole ? { ...kept, path } : undefined
  } catch {
    // An unreadable file is generated again.
    return undefined
  }
}

/** Returns the result of `making`, or `preparing` after `ms` milliseconds. Generation continues in the background. */
async function inTime(making: Promise<Kept | NoFile>, ms: number): Promise<Kept | NoFile> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<NoFile>((resolve) => {
    timer = setTimeout(resolve, ms, 'preparing')
  })
  try {
    return await Promise.race([making, late])
  } finally {
    clearTimeout(timer)
  }
}
