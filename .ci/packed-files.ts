/** Checks the files of installed packages: license, manifest, links of the README, source maps and total size. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Maximum total size of the installed packages and their dependencies, in bytes. */
const MAX_INSTALLED = 95_000_000

/**
 * Checks that a package has its license and manifest, that its README links only to files of the repository at `files`, and
 * that every source map leads to a source in the package. @throws Error for the first fault
 */
export function checkFiles(root: string, folder: string, files: string): void {
  for (const name of ['LICENSE', 'README.md'])
    require(existsSync(join(folder, name)), `${folder} lacks ${name}`)
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  require(repository.url &&
    existsSync(join(root, repository.directory, 'package.json')), `${folder}: repository`)
  for (const [, link = ''] of readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/\]\(([^)]*)\)/g)) {
    require(link.startsWith('https://') || link.startsWith('#'), `${folder} links to ${link}`)
    const inRepository = link.startsWith(files) ? link.slice(files.length).replace(/#.*/, '') : ''
    require(existsSync(join(root, inRepository)), `${folder} links to ${link}`)
  }
  // The explorer is a page, which is not imported.
  if (!folder.endsWith('/explorer')) checkMaps(folder)
}

/** @throws Error if a module has no source map, or a map names a source that the package lacks */
function checkMaps(folder: string): void {
  for (const module of globSync('dist/**/*.{js,d.ts}', { cwd: folder }))
    require(existsSync(join(folder, `${module}.map`)), `${folder} lacks the map of ${module}`)
  for (const map of globSync('dist/**/*.map', { cwd: folder }))
    for (const source of JSON.parse(readFileSync(join(folder, map), 'utf8')).sources)
      require(existsSync(join(folder, dirname(map), source)), `${folder} lacks ${source} of ${map}`)
}

/** Returns the size of all files in `node_modules` below `folder`, in bytes. @throws Error if they are too large */
export function installedBytes(folder: string): number {
  const paths = globSync('node_modules/**/*', { cwd: folder, withFileTypes: true })
  const size = paths
    .filter((path) => path.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  require(size <= MAX_INSTALLED, `${size} bytes are installed`)
  return size
}

function require(holds: unknown, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
