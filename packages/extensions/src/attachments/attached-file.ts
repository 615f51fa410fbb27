/** Files of one folder, by the names that a client gives: nothing outside it is ever opened. */
import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A file as it is now. */
export interface AttachedFile {
  /** Absolute, with no symbolic link in it. */
  readonly path: string
  readonly size: number
  /** The SHA-256 digest of its content, in base64url. */
  readonly digest: string
}

/** Digests kept, so that a file is read once for all its requests. */
const KEPT = 10_000

/** The files of a folder. */
export class AttachedFiles {
  readonly #folder: string
  /** By path and what changes with the content: size and time. */
  readonly #digests = new Map<string, Promise<string>>()

  /** `folder` is absolute. It need not exist yet. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The file with this path in the folder, component by component; undefined if there is none: also for names that
   * begin with a dot, for what is no plain file, and for links that lead out of the folder.
   */
  async find(components: readonly string[]): Promise<AttachedFile | undefined> {
    if (!components.every(isPlainName)) return undefined
    try {
      const folder = await realpath(this.#folder)
      const path = await realpath(join(folder, ...components))
      if (!path.startsWith(folder + sep)) return undefined
      const state = await stat(path)
      if (!state.isFile()) return undefined
      return { path, size: state.size, digest: await this.#digestOf(path, state) }
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }

  #digestOf(path: string, { size, mtimeMs, ctimeMs, ino }: Stats): Promise<string> {
    const key = [path, size, mtimeMs, ctimeMs, ino].join('\n')
    const known = this.#digests.get(key)
    if (known) return known
    const digest = digestOfFile(path)
    digest.catch(() => this.#digests.delete(key))
    const [oldest] = this.#digests.keys()
    if (oldest !== undefined && this.#digests.size >= KEPT) this.#digests.delete(oldest)
    this.#digests.set(key, digest)
    return digest
  }
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'])

/** Whether a component can only be the name of a file or folder that is not hidden. */
function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0:]/.test(name)
}

async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('base64url')
}
