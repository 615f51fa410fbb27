/** Writes a download to a file, and computes its size and digest. */
import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Size and digest of a written file. */
export interface WrittenFile {
  readonly size: number
  /** SHA-256 digest of the bytes, in base64. */
  readonly digest: string
}

/** Thrown if a file would exceed its maximum size. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * Writes a new file of at most `maxBytes`, and removes it on failure.
 * @throws NoRoom; also errors of `pieces` and of the disk
 */
export async function writeFile(
  pieces: AsyncIterable<string | Uint8Array>,
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal | undefined },
): Promise<WrittenFile> {
  const digest = createHash('sha256')
  let size = 0
  async function* counted() {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      size += bytes.byteLength
      if (size > maxBytes) throw new NoRoom(`There is room for ${maxBytes} bytes.`)
      digest.update(bytes)
      yield bytes
    }
  }
  const handle = await open(path, 'wx')
  try {
    await pipeline(counted(), handle.createWriteStream(), { ...(signal && { signal }) })
    return { size, digest: digest.digest('base64') }
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(path, { force: true })
    throw error
  }
}
