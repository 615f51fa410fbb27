/** File names, from which the names of entities and tables are derived. */

/** Returns the path without its file extension, and without `.gz`. */
export function withoutEnding(path: string): string {
  return path.replace(/\.gz$/i, '').replace(/\.[^./]+$/, '')
}

/** Returns the name of a file or folder, without its path and file extension. */
export function baseName(path: string): string {
  return withoutEnding(path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? path)
}
