/** The attachments of a world, found by walking their folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Yields paths on the world's origin, ascending, including files that are not served, such as hidden ones. */
export async function* attachmentPaths(folder: string, below = '/attachments'): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = `${below}/${encodeURIComponent(entry.name)}`
    if (entry.isDirectory()) yield* attachmentPaths(join(folder, entry.name), path)
    else yield path
  }
}
