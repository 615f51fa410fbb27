/** Files of one folder, looked up by names that clients send. Nothing outside the folder is ever opened. */
import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A file in its current state. */
export interface AttachedFile {
  /** Absolute, without symbolic links. */
  readonly path: string
  readonly size: number
  /** The SHA-256 digest of its content, in base64url. */
  readonly digest: string
}

/** Maximum number of cached digests, so that a file is hashed once for all its requests. */
const KEPT = 10_000

/** The files of a folder. */
export class AttachedFiles {
  readonly #folder: string
  /** Keyed by path and by what changes with the content: size, times and inode. */
  readonly #digests = new Map<string, Promise<string>>()

  /** Takes an absolute path, which need not exist yet. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Returns the file with this path in the folder, component by component. Returns undefined if there is none, if a name
   * begins with a dot, if it is not a plain file, or if a link leads out of the folder.
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

/** Reports whether a path component can only be the name of a visible file or folder. */
function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0:]/.test(name)
}

async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('base64url')
}
