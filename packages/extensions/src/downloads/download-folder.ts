/** The folder that holds downloads: each is made once per version of its data, and all stay within a bound. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile as write } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@worldwright/core/store'
import { positionNow } from '@worldwright/core/store'
import type { Download, DownloadFile, DownloadFiles, NoFile } from './download.ts'
import type { WrittenFile } from './write-file.ts'

/** Options of a folder of downloads. */
export interface FolderOptions {
  readonly storage: Pick<Store, 'types' | 'changes'>
  /** Absolute; created if missing. It holds nothing else. */
  readonly folder: string
  /** Writes a download into a new file, and leaves nothing behind if it fails: see `writeFile`. */
  readonly make: (download: Download, path: string, maxBytes: number) => Promise<WrittenFile>
  /** Maximum bytes of all files together. Half of the free disk space stays free in any case. */
  readonly maxBytes: number
  /** Receives errors that no request waits for. */
  readonly failed?: (error: unknown) => void
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly now?: () => number
  /** Maximum wait of a request for a file that is being made, in milliseconds. */
  readonly waitMs?: number
}

/** A file, and what it was made from. */
interface Kept extends DownloadFile {
  /** Identifies the download, whatever its version. */
  readonly name: string
  /** Identifies the version of its data. */
  readonly version: string
  readonly tookMs: number
  readonly usedAt: number
}

/** Default wait, in milliseconds: less than the timeout of proxies. */
const WAIT_MS = 25_000
/** Making a download again takes at most one part in this many of the time, however fast its world changes. */
const MAKING_PART = 10
/** Minimum age of a file, in milliseconds: `Last-Modified` has whole seconds, and no two files of a download share one. */
const LEAST_AGE_MS = 1_000
/** Milliseconds that a replaced file is kept after its last use, for clients that read it in ranges. */
const REPLACED_MS = 10 * 60_000
/** Version of the file format; part of every download's version. */
const FORM = '1'
const DESCRIPTION = '.json'

/** Owns the folder. One process has it open at a time. */
export class DownloadFolder implements DownloadFiles {
  readonly #options: FolderOptions
  readonly #now: () => number
  /** The newest file of each download, after those that it replaced. */
  readonly #kept = new Map<string, Kept[]>()
  readonly #making = new Map<string, Promise<Kept | NoFile>>()
  /** Downloads that could not be made, the reason, and the time of the next attempt. */
  readonly #refused = new Map<string, { readonly reason: NoFile; readonly until: number }>()
  #turn: Promise<unknown> = Promise.resolve()
  #opened: Promise<void> | undefined

  constructor(options: FolderOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /**
   * Returns the newest file. Makes it if there is none, or if the data changed and the last making is a second and ten times
   * its duration ago; a failed one is retried no sooner. Requests for a download share a making; others are made in turn.
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

  async #versionOf({ type, schema, types, about }: Download): Promise<string> {
    const { storage } = this.#options
    const data = type === undefined ? await positionNow(storage) : (await storage.types()).get(type)?.version
    return digestOf(FORM, data ?? '', JSON.stringify([schema, types, about]))
  }

  #isRecent({ madeAt, tookMs }: Kept): boolean {
    return this.#now() - Date.parse(madeAt) < Math.max(tookMs * MAKING_PART, LEAST_AGE_MS)
  }

  /** Returns the newest file, if it is still there: somebody may have emptied the folder. */
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

  #begin(name: string, version: string, download: Download): Promise<Kept | NoFile> {
    const making = this.#turn.then(() => this.#make(name, version, download))
    this.#turn = making.catch(() => {})
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
      if (reason !== 'too_wide') failed?.(error)
      const now = this.#now()
      this.#refused.set(name, { reason, until: now + (now - begun) * MAKING_PART })
      return reason
    }
  }

  /** Maximum bytes of one file: half of the free space stays free, for the store. */
  async #room(): Promise<number> {
    const { folder, maxBytes } = this.#options
    const { bavail, bsize } = await statfs(folder)
    return Math.min(maxBytes, Math.floor((bavail * bsize) / 2))
  }

  /** Removes the least recently used files until all fit. */
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

  /** Adopts the files that an earlier process left, and removes unfinished ones. */
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
  damaged: 'damaged',
}

/** Returns the code or name of an error: errors from a worker thread lose their class, but keep their name. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error) as { code?: string; name?: string }
  return code !== undefined && Object.hasOwn(REASONS, code) ? code : (name ?? '')
}

function nameOf({ type, format, about }: Download): string {
  // Files with absolute addresses differ by origin.
  return digestOf(type ?? '', format, about['origin'] ?? '')
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
    // An unreadable file is made again.
    return undefined
  }
}

/** Returns the file, or `preparing` if it is not ready in time; the making goes on. */
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
