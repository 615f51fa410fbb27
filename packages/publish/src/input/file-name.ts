/** Names of files, as entities and tables are called after them. */

/** The path without its ending, and without `.gz`. */
export function withoutEnding(path: string): string {
  return path.replace(/\.gz$/i, '').replace(/\.[^./]+$/, '')
}

/** The name of a file or folder by itself, without its ending. */
export function baseName(path: string): string {
  return withoutEnding(path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? path)
}
