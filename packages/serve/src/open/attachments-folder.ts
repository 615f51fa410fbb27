/** Where the attachments of a world are. */
import { isAbsolute, relative, resolve } from 'node:path'
import { UsageFault } from '../terminal/io.ts'

/**
 * The folder of a world's attachments, absolute; undefined if it has none. `folder`: what its path is relative to.
 * @throws UsageFault where it holds the definition: that, the data and perhaps the store would be for everybody
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
