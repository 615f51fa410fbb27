/** The folder of a site. It changes completely or not at all, and files with unchanged content stay the same files. */
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
  /** Files that are new or changed. */
  readonly changed: number
}

/** A new state of a folder, staged beside it until `commit`. */
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

  /** `path` is absolute. @throws UsageFault for a folder that holds something else; OutputFault if it cannot be created */
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
   * Writes one file. `parts`: the names of its folders, then its own; untrusted, so they may be no valid file names.
   * @throws OutputFault if no file can have this name beside the others
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

  /** Removes what was written. Harmless after `commit`. */
  async abort(): Promise<void> {
    await rm(this.#new, { recursive: true, force: true })
  }

  /** Hard-links a file with unchanged content, so that the time and tag that servers give it stay the same. */
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

/** Error codes caused by the name, not by the disk. */
const IMPOSSIBLE = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EINVAL'])
