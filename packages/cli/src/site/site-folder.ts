/** Folder of a static site. Its content is replaced as a whole, and files with unchanged content are hard-linked. */
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { OutputFault, UsageFault } from '@worldwright/serve/terminal'
import { writeFault } from '../terminal/write-fault.ts'

/** File that marks a folder as a site. */
export const SITE_FILE = 'worldwright-site.json'

/** Size of a site, and the number of changed files. */
export interface SiteSummary {
  readonly files: number
  readonly bytes: number
  /** Number of new or changed files. */
  readonly changed: number
}

/** Stages new content for a folder in a sibling folder until `commit`. */
export class SiteFolder {
  readonly #path: string
  readonly #new: string
  #files = 0
  #bytes = 0
  #changed = 0

  private constructor(path: string, temporary: string) {
    this.#path = path
    this.#new = temporary
  }

  /** Opens an absolute path. @throws UsageFault if the folder is not a site; OutputFault if it cannot be created */
  static async open(path: string): Promise<SiteFolder> {
    const held: string[] = await readdir(path).catch((error) => {
      if (error.code === 'ENOENT') return []
      throw new UsageFault(`${path} is no folder. Name an empty folder, or a new one.`)
    })
    if (held.length > 0 && !held.includes(SITE_FILE))
      throw new UsageFault(`${path} holds something other than a site. Name an empty folder, or a new one.`)
    const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.new`)
    await rm(temporary, { recursive: true, force: true })
    try {
      await mkdir(temporary)
    } catch (error) {
      throw writeFault(error, temporary)
    }
    return new SiteFolder(path, temporary)
  }

  /**
   * Writes one file. `parts` are the components of its path, which are untrusted and may be invalid as file names.
   * @throws OutputFault if the name is invalid or already taken
   */
  async write(parts: readonly string[], content: string | Uint8Array): Promise<void> {
    const path = parts.flatMap((part) => part.split('/'))
    const name = path.join('/')
    if (path.some((part) => part === '' || part === '.' || part === '..'))
      throw new OutputFault(`${JSON.stringify(name)} cannot be a file, so this world cannot be files.`)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const target = join(this.#new, ...path)
    try {
      await mkdir(dirname(target), { recursive: true })
      if (!(await this.#isAsBefore(path, bytes, target))) {
        await writeFile(target, bytes, { flag: 'wx' })
        this.#changed += 1
      }
    } catch (error) {
      if (!IMPOSSIBLE.has((error as NodeJS.ErrnoException).code ?? '')) throw writeFault(error, target)
      const why = (error as NodeJS.ErrnoException).code === 'ENAMETOOLONG' ? 'too long' : 'taken'
      throw new OutputFault(`The name ${name} is ${why}, so this world cannot be files.`, { cause: error })
    }
    this.#files += 1
    this.#bytes += bytes.byteLength
  }

  /** Replaces the content of the folder with the new state. */
  async commit(): Promise<SiteSummary> {
    const summary = { files: this.#files, bytes: this.#bytes, changed: this.#changed }
    const before = `${this.#new}.before`
    await rm(before, { recursive: true, force: true })
    const isThere = existsSync(this.#path)
    if (isThere) await rename(this.#path, before)
    await rename(this.#new, this.#path)
    if (isThere) await rm(before, { recursive: true, force: true })
    return summary
  }

  /** Deletes the staged files. Does nothing after `commit`. */
  async abort(): Promise<void> {
    await rm(this.#new, { recursive: true, force: true })
  }

  /** Hard-links the old file if its content is the same, so that its mtime and ETag do not change. */
  async #isAsBefore(path: readonly string[], bytes: Uint8Array, target: string): Promise<boolean> {
    const old = join(this.#path, ...path)
    const held = await readFile(old).catch(() => undefined)
    if (held === undefined || Buffer.compare(held, bytes) !== 0) return false
    return link(old, target).then(
      () => true,
      (error) => {
        if (error.code === 'EEXIST') throw error
        return false
      },
    )
  }
}

/** Error codes caused by the file name rather than the disk. */
const IMPOSSIBLE = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'])
