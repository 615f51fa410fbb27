/** Creates a node's replica from a backup of another node's replica, its seed. */
import { createReadStream, existsSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { StoreFault, type StoreFaultCode } from '@worldwright/core/store'
import { refuseSeed, storeExists } from '@worldwright/postgres'
import { openSqliteStore, receiveBackup } from '@worldwright/sqlite'
import { isAddress, seedName } from './seed-address.ts'

/** Reports whether a replica holds what it can continue from, and not only the beginning of a first copy. */
export async function isReplica(file: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const replica = openSqliteStore(file, { isDerived: true })
  try {
    return (await replica.types()).size > 0
  } finally {
    await replica.close()
  }
}

/**
 * Creates the replica `file` of the store at `url` from the backup in a file or at an http or https URL. Nothing is left
 * behind on failure. @throws StoreFault, whose message names the seed and what to do
 */
export async function seedReplica(
  url: string,
  file: string,
  seed: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await storeExists(url)))
    throw new StoreFault('not_a_store', `There is no store that ${seedName(seed)} can follow.`)
  const partial = `${file}.partial`
  remove(partial)
  try {
    await receiveBackup(await bytesOf(seed, signal), partial, { signal })
    const store = openSqliteStore(partial, { readOnly: true })
    try {
      await refuseSeed(url, store)
    } finally {
      await store.close()
    }
    remove(file)
    await rename(partial, file)
  } catch (error) {
    remove(partial)
    throw signal.aborted ? error : refusalOf(seed, error)
  }
}

/** Begins to read a seed. The operator names the address, so that any address is allowed. */
async function bytesOf(seed: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (!isAddress(seed)) return createReadStream(seed, { highWaterMark: 1_048_576 })
  const { ok, status, url, body } = await fetch(seed, { signal })
  const isBare = seed.startsWith('https:') && !url.startsWith('https:')
  if (ok && body !== null && !isBare) return body
  await body?.cancel()
  throw new Error(
    isBare
      ? 'the answer redirects from https to http'
      : `the answer is status ${status}${status === 403 ? ', as after the address expired' : ''}`,
  )
}

function refusalOf(seed: string, error: unknown): unknown {
  const { code, message, cause } = error as NodeJS.ErrnoException
  if (code === 'unreachable') return error
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message
  const or = 'or start without --seed, to copy the database.'
  const [as, said]: [StoreFaultCode, string] =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? ['full', 'the disk is full. Make room and start again.']
      : error instanceof StoreFault
        ? [error.code, `${message} Make another with world backup, ${or}`]
        : ['io', `${why}. Correct that and start again, ${or}`]
  return new StoreFault(
    as,
    `${seedName(seed)} was not used as the seed, and nothing is left of it: ${said}`,
    { cause: error },
  )
}

function remove(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}
