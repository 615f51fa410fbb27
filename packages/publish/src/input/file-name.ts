/** File names, from which entities and tables get their names. */

/** Returns the path without its ending, and without `.gz`. */
export function withoutEnding(path: string): string {
  return path.replace(/\.gz$/i, '').replace(/\.[^./]+$/, '')
}

/** Returns the name of a file or folder, without its path and ending. */
export function baseName(path: string): string {
  return withoutEnding(path.replaceAll('\\', '/').replace(/\/+$/, '').split('/').at(-1) ?? path)
}
