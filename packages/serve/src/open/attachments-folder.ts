import { isAbsolute, relative, resolve } from 'node:path'
import { UsageFault } from '../terminal/io.ts'

/**
 * Returns the absolute path of the attachments folder, resolved against `folder`, or undefined if the world has none.
 * @throws UsageFault if it contains the definition, since the definition, data and store would then be public
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
