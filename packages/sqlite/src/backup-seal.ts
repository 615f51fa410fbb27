/** Seal of a backup: its last line, with the SHA-256 of all bytes before it. SQLite ignores what follows its last page. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { StoreFault } from '@worldwright/core/store'

const SEAL = /^\nworldwright backup, sha256 ([0-9a-f]{64})\n$/
const SEAL_BYTES = sealOf('0'.repeat(64)).length

/** Bytes read at a time. */
const READ_BYTES = 1_048_576

/** Appends the seal to a complete backup. */
export async function sealBackup(file: string): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) hash.update(chunk)
  await appendFile(file, sealOf(hash.digest('hex')))
}

/**
 * Yields the bytes of a backup without its seal. A backup of a former version has no seal, which only `mayLackSeal` accepts.
 * @throws StoreFault `damaged` after the last byte, if they are not those that were sealed
 */
export async function* unsealed(
  bytes: AsyncIterable<Uint8Array>,
  mayLackSeal = false,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let held: Uint8Array = new Uint8Array()
  for await (const chunk of bytes) {
    const all = Buffer.concat([held, chunk])
    const end = Math.max(0, all.length - SEAL_BYTES)
    hash.update(all.subarray(0, end))
    yield all.subarray(0, end)
    held = all.subarray(end)
  }
  const [, digest] = SEAL.exec(Buffer.from(held).toString('latin1')) ?? []
  if (digest === hash.digest('hex')) return
  if (digest !== undefined)
    throw new StoreFault('damaged', 'it is damaged or was changed: its bytes are not those of its seal.')
  if (!mayLackSeal)
    throw new StoreFault('damaged', 'it is cut off, or not a backup by this version: it ends without a seal.')
  yield held
}

function sealOf(digest: string): string {
  return `\nworldwright backup, sha256 ${digest}\n`
}
