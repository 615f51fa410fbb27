import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Yields the URL paths of all files in ascending order, including hidden files, for which the world returns 404. */
export async function* attachmentPaths(folder: string, below = '/attachments'): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = `${below}/${encodeURIComponent(entry.name)}`
    if (entry.isDirectory()) yield* attachmentPaths(join(folder, entry.name), path)
    else yield path
  }
}
