/** Folder of a mirror, which is updated atomically. */
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { UsageFault } from '@worldwright/serve/terminal'
import { MANIFEST, MANIFEST_FORMAT, type Manifest } from './manifest.ts'

/** File that makes the folder servable. A commit that replaces it removes the old file first and adds the new one last. */
export const DEFINITION = 'world.json'

const WORK = '.mirror'
const NEW = 'new'
const COMMIT = 'commit.json'
const LOCK = 'lock'

/** Commit record: the file operations that publish the new state. */
interface Commit {
  /** Names of the staged files to publish. */
  readonly move: readonly string[]
  readonly remove: readonly string[]
}

/** Locks a folder while it is open, so that no other process mirrors into it. */
export class MirrorFolder {
  /** Absolute path of the folder. */
  readonly path: string
  /** Manifest in the folder; undefined for a new folder. */
  readonly manifest: Manifest | undefined
  /** True if a file is missing or its size differs from the manifest. */
  readonly isDamaged: boolean

  private constructor(path: string, manifest: Manifest | undefined, isDamaged: boolean) {
    this.path = path
    this.manifest = manifest
    this.isDamaged = isDamaged
  }

  /**
   * Opens a folder, or creates it if it does not exist. Completes a commit that an earlier process began.
   * @throws UsageFault if the folder is not a mirror and not empty, or another process is using it
   */
  static async open(path: string): Promise<MirrorFolder> {
    await mkdir(path, { recursive: true })
    const isMirror = existsSync(join(path, WORK)) || existsSync(join(path, MANIFEST))
    if (!isMirror && (await readdir(path)).length > 0)
      throw new UsageFault(`${path} holds something other than a mirror. Name an empty folder, or a new one.`)
    await mkdir(join(path, WORK), { recursive: true })
    await lock(join(path, WORK, LOCK))
    try {
      await putInPlace(path)
      await rm(join(path, WORK, NEW), { recursive: true, force: true })
      await mkdir(join(path, WORK, NEW))
      const manifest = await manifestIn(path)
      return new MirrorFolder(path, manifest, manifest !== undefined && !(await isWhole(path, manifest)))
    } catch (error) {
      await rm(join(path, WORK, LOCK), { force: true })
      throw error
    }
  }

  /** Returns the manifest, or undefined if the folder is new or damaged. */
  get whole(): Manifest | undefined {
    return this.isDamaged ? undefined : this.manifest
  }

  /** Returns the path of a published file. */
  file(name: string): string {
    return join(this.path, name)
  }

  /** Returns the path of a staged file, which `commit` publishes. */
  newFile(name: string): string {
    return join(this.path, WORK, NEW, name)
  }

  /** Returns the path of a working file, which is kept between runs and never published. */
  workFile(name: string): string {
    return join(this.path, WORK, name)
  }

  /** Publishes all staged files and deletes those in `remove`. If the process is killed, the next `open` completes this. */
  async commit(remove: readonly string[]): Promise<void> {
    const move = await readdir(join(this.path, WORK, NEW))
    for (const name of move) await synced(this.newFile(name))
    const commit: Commit = { move, remove }
    const draft = this.workFile(`${COMMIT}.draft`)
    await writeFile(draft, JSON.stringify(commit))
    await synced(draft)
    await rename(draft, this.workFile(COMMIT))
    await synced(join(this.path, WORK))
    await putInPlace(this.path)
  }

  /** Releases the lock on the folder. */
  async close(): Promise<void> {
    await rm(this.workFile(LOCK), { force: true })
  }
}

/** Executes the commit record, if there is one. Idempotent: completed steps are skipped. */
async function putInPlace(path: string): Promise<void> {
  const file = join(path, WORK, COMMIT)
  if (!existsSync(file)) return
  const { move, remove }: Commit = JSON.parse(await readFile(file, 'utf8'))
  const isMoving = move.includes(DEFINITION) && existsSync(join(path, WORK, NEW, DEFINITION))
  if (isMoving) await rm(join(path, DEFINITION), { force: true })
  const last = [MANIFEST, DEFINITION]
  for (const name of [...move.filter((name) => !last.includes(name)), ...last]) {
    const from = join(path, WORK, NEW, basename(name))
    if (existsSync(from)) await rename(from, join(path, basename(name)))
  }
  for (const name of remove) await rm(join(path, basename(name)), { force: true })
  await synced(path)
  await rm(file)
}

async function synced(path: string): Promise<void> {
  // Folders cannot be opened on Windows.
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** @throws UsageFault if the manifest is not in the known format */
async function manifestIn(path: string): Promise<Manifest | undefined> {
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest = parsed(text)
  if (manifest?.format === MANIFEST_FORMAT) return manifest
  throw new UsageFault(
    `${join(path, MANIFEST)} is of no mirror that this version knows. Name another folder.`,
  )
}

function parsed(text: string): Manifest | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function isWhole(path: string, { types }: Manifest): Promise<boolean> {
  for (const { file, bytes } of Object.values(types)) {
    const state = await stat(join(path, file)).catch(() => undefined)
    if (state?.size !== bytes) return false
  }
  return true
}

/** @throws UsageFault if a running process holds the lock */
async function lock(file: string): Promise<void> {
  const holder = Number(await readFile(file, 'utf8').catch(() => ''))
  if (holder > 0 && holder !== process.pid && isAlive(holder))
    throw new UsageFault(`Process ${holder} mirrors into this folder. Wait for it, or end it.`)
  await rm(file, { force: true })
  await writeFile(file, `${process.pid}`, { flag: 'wx' })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}
