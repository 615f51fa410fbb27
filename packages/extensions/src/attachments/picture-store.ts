/** Stores pictures in the folder of the attachments, named by their content. */
import { hash, randomUUID } from 'node:crypto'
import { mkdir, open, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { unavailable } from '@worldwright/core'
import type { PictureStore } from '../operator/picture-route.ts'
import { attachmentPath } from './path.ts'

/** Folder for stored pictures, within that of the attachments. */
const UPLOADS = 'uploads'
/** `Retry-After` if the folder cannot be written, in seconds. */
const RETRY_SECONDS = 10

/**
 * Returns a function that stores a picture in `folder` and returns its path on the world's origin. The picture is durable
 * when it returns. The name is the SHA-256 digest of the bytes, so that nothing is ever replaced by something else.
 * @throws WorldFault `unavailable` if the folder cannot be written, or the disk is full
 */
export function pictureStore(folder: string): PictureStore {
  const uploads = join(folder, UPLOADS)
  return async (bytes, ending) => {
    const name = `${hash('sha256', bytes, 'hex')}.${ending}`
    // Names that start with a dot are not served.
    const unfinished = join(uploads, `.${randomUUID()}`)
    try {
      await mkdir(uploads, { recursive: true })
      if (!(await realpath(uploads)).startsWith((await realpath(folder)) + sep))
        throw new Error(`${uploads} leads out of the folder, so that nothing in it is served.`)
      await writeFile(unfinished, bytes, { flag: 'wx', flush: true })
      await rename(unfinished, join(uploads, name))
      for (const changed of [uploads, folder]) await flushFolder(changed)
    } catch (cause) {
      await rm(unfinished, { force: true }).catch(() => {})
      const details = { reason: 'attachments_not_written' }
      throw unavailable('The picture could not be stored.', RETRY_SECONDS, { details, cause })
    }
    return attachmentPath(join(UPLOADS, name))
  }
}

/** Makes new names in a folder durable. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
