/** Looks up files in a folder by client-supplied names. Nothing outside the folder is ever opened. */
import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Regular file with its current size and digest. */
export interface AttachedFile {
  /** Absolute path, with symbolic links resolved. */
  readonly path: string
  readonly size: number
  /** SHA-256 digest of the content, in base64url. */
  readonly digest: string
}

/** Maximum number of cached digests. A file is not hashed again while its digest is cached. */
const KEPT = 10_000

/** Looks up the files in a folder and caches their digests. */
export class AttachedFiles {
  readonly #folder: string
  /** Digests by path, size, times and inode, so that changed content is hashed again. */
  readonly #digests = new Map<string, Promise<string>>()

  /** `folder` is an absolute path, which need not exist yet. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Returns the file at the path formed by `components`. Returns undefined if there is no regular file at that path, if a
   * component starts with a dot, or if a symbolic link leads out of the folder.
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

/** Reports whether a path component is a plain, visible name without separators. */
function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('.') && !/[/\\\0:]/.test(name)
}

async function digestOfFile(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk)
  return digest.digest('base64url')
}
