import { readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Entity } from '@worldwright/client/protocol'
import { ATTACHMENTS_PATH, attachmentPath } from '@worldwright/extensions/attachments'
import { SourceFault } from '../bytes/source-fault.ts'
import type { Mapping } from '../mapping/mapping.ts'

/** Returns the attachment paths of all files in and below a folder. @throws SourceFault if the folder is missing */
export async function attachedPaths(folder: string, attachments: string): Promise<ReadonlySet<string>> {
  const root = resolve(folder, attachments)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((cause) => {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder' : cause.message
    throw new SourceFault(`${attachments}: ${why}.`, { cause })
  })
  const files = entries.filter((entry) => !entry.isDirectory())
  return new Set(files.map(({ parentPath, name }) => attachmentPath(relative(root, join(parentPath, name)))))
}

/** Yields a message for each missing attachment that an entity names. */
export function* missingAttachments(
  { attributes }: Entity,
  { attachments = {} }: Mapping,
  there: ReadonlySet<string>,
): Generator<string> {
  for (const attribute of Object.keys(attachments)) {
    for (const path of [attributes[attribute]].flat()) {
      if (typeof path !== 'string' || there.has(path)) continue
      const name = decodeURIComponent(path.slice(ATTACHMENTS_PATH.length + 1))
      yield `${JSON.stringify(attribute)} names ${JSON.stringify(name)}, and there is no such attachment`
    }
  }
}
