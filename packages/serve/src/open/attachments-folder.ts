/** Folder of the attachments of a world. */
import { isAbsolute, relative, resolve } from 'node:path'
import { UsageFault } from '../terminal/io.ts'

/**
 * Returns the absolute folder of a world's attachments; undefined if it has none. Its path is relative to `folder`.
 * @throws UsageFault if it contains the definition: that, the data and perhaps the store would be public
 */
export function attachmentsFolder(
  attachments: string | undefined,
  folder: string,
  file: string | undefined,
): string | undefined {
  if (attachments === undefined || file === undefined) return undefined
  const found = resolve(folder, attachments)
  if (!relative(found, file).startsWith('..') && !isAbsolute(relative(found, file)))
    throw new UsageFault(
      `attachments: ${attachments} holds the definition itself. Give them a folder of their own.`,
    )
  return found
}
