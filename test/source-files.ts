/** Lists the source files of the repository for the structural tests. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The repository's root folder, as an absolute path. */
export const ROOT = resolve(import.meta.dirname, '..')

/** A source file with its imports. */
export interface SourceFile {
  /** Path relative to the root of the repository, with `/` as the separator. */
  readonly path: string
  readonly text: string
  /** Imports: paths for files of the repository, and specifiers for all others. */
  readonly imports: readonly string[]
  readonly isTest: boolean
}

const IMPORT =
  /^(?:import|export)\s[^'"`;]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm

/** Returns every TypeScript file of the repository, sorted by path. */
export function sourceFiles(): SourceFile[] {
  return globSync('{packages,test,examples,bench,chaos}/**/*.{ts,tsx}', {
    cwd: ROOT,
    // Other tests, which run at the same time, check examples in folders of these names.
    exclude: (path) => /(^|\/)(node_modules|dist|examples-[^/]+)(\/|$)/.test(path),
  })
    .toSorted()
    .map(readSource)
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const imports = [...text.matchAll(IMPORT)].map((match) =>
    resolveImport(path, match[1] ?? match[2] ?? match[3] ?? ''),
  )
  return {
    path,
    text,
    imports,
    isTest: /\.(?:test|fixture)\.tsx?$/.test(path) || !path.startsWith('packages/'),
  }
}

/** Maps the import specifier of every entry point of our packages to its source file. */
const ENTRIES: ReadonlyMap<string, string> = new Map(
  globSync('packages/*/package.json', { cwd: ROOT }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
    return Object.entries<Record<string, string>>(exports).flatMap(([entry, target]) => {
      const source = target['@worldwright/source']
      return source === undefined ? [] : [[join(name, entry), join(dirname(path), source)] as const]
    })
  }),
)

function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith('.')) return ENTRIES.get(specifier) ?? specifier
  return relative(ROOT, resolve(ROOT, dirname(from), specifier))
}
