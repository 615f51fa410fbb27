import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts'

/** A row of the import table in ARCHITECTURE.md. */
interface Row {
  /** Files to which the row applies: one file, as in `client/error`, or all files below a folder, as in `handler/*`. */
  readonly files: string
  readonly mayImport: readonly string[]
  /** Packages that the files may import; `node:` stands for all modules of Node.js. */
  readonly packages: readonly string[]
}

/** Returns the rows of the import table in a Markdown text, in order. */
function importTable(text: string): Row[] {
  const [, table = ''] = /\| files \| may import \| packages \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/.exec(text) ?? []
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [files = [], mayImport = [], packages = []] = line
        .slice(1, -1)
        .split('|')
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
      return { files: files[0] ?? '', mayImport, packages }
    })
}

/** Returns the name of a file in the table: its package, then its path in the package without `src` and extension. */
function nameOf(path: string): string {
  return path.replace(/^packages\/(\w+)\/(?:src\/)?/, '$1/').replace(/\.tsx?$/, '')
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Reports whether an import specifier names the package `name` or a path within it. */
function isOf(specifier: string, name: string): boolean {
  return name === 'node:' ? specifier.startsWith(name) : `${specifier}/`.startsWith(`${name}/`)
}

const TABLE = importTable(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))

/** Returns the imports of `file` that the table does not allow. Adds the table entries that allow the others to `used`. */
function offences(file: SourceFile, used = new Set<string>()): string[] {
  const rowOf = (path: string) => TABLE.find(({ files }) => fits(nameOf(path), files))
  const row = rowOf(file.path)
  if (row === undefined) return [`${file.path} stands in no row of the import table`]
  const isAllowed = (target: string) => {
    const isOurs = target.startsWith('packages/')
    if (isOurs && rowOf(target) === row) return true
    const permissions = isOurs
      ? row.mayImport.filter((pattern) => fits(nameOf(target), pattern))
      : row.packages.filter((name) => isOf(target, name))
    for (const permission of permissions) used.add(`${row.files}: ${permission}`)
    return permissions.length > 0
  }
  return file.imports.filter((target) => !isAllowed(target)).map((target) => `${file.path} imports ${target}`)
}

const shipped = sourceFiles().filter((file) => !file.isTest)

test('every import is allowed by the table in ARCHITECTURE.md', () => {
  assert.ok(shipped.length > 30)
  assert.deepEqual(
    shipped.flatMap((file) => offences(file)),
    [],
  )
})

test('every entry of the import table is needed', () => {
  const used = new Set<string>()
  for (const file of shipped) offences(file, used)
  const allowed = TABLE.flatMap(({ files, mayImport, packages }) =>
    [...mayImport, ...packages].map((permission) => `${files}: ${permission}`),
  )
  assert.deepEqual(
    allowed.filter((permission) => !used.has(permission)),
    [],
  )
})

/** Returns a cycle in a graph as a path of nodes, or undefined if there is none. */
function cycleIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const walk = (node: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(node)) return [...trail.slice(trail.indexOf(node)), node]
    if (done.has(node)) return undefined
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...trail, node])
      if (cycle !== undefined) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of graph.keys()) {
    const cycle = walk(node, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

function graphOf(nodeOf: (path: string) => string): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of shipped) {
    const node = nodeOf(file.path)
    const targets = graph.get(node) ?? new Set()
    for (const target of file.imports) {
      if (target.startsWith('packages/') && nodeOf(target) !== node) targets.add(nodeOf(target))
    }
    graph.set(node, targets)
  }
  return graph
}

test('there are no import cycles between files', () => {
  const graph = graphOf((path) => path)
  assert.equal(cycleIn(graph), undefined)
  for (const file of shipped) assert.ok(!file.imports.includes(file.path), `${file.path} imports itself`)
})

test('there are no import cycles between folders', () => {
  assert.equal(cycleIn(graphOf((path) => path.replace(/\/[^/]+$/, ''))), undefined)
})

test('the import checks detect forbidden imports and cycles', () => {
  const file = (path: string, ...imports: string[]) => ({ path, text: '', imports, isTest: false })
  assert.equal(
    offences(file('packages/core/src/world/x.ts', 'packages/core/src/handler/handler.ts')).length,
    1,
  )
  assert.equal(offences(file('packages/client/src/x.ts', 'node:fs')).length, 1)
  assert.equal(offences(file('packages/search/src/x.ts', 'lodash')).length, 1)
  assert.equal(offences(file('packages/core/src/world/x.ts', 'packages/search/src/index.ts')).length, 1)
  assert.equal(offences(file('packages/publish/src/read/x.ts', 'yaml', 'ajv/dist/2020.js')).length, 0)
  assert.equal(offences(file('packages/publish/src/read/x.ts', 'yaml-ast')).length, 1)
  assert.equal(offences(file('packages/elsewhere/x.ts')).length, 1)
  const circle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
  ])
  assert.deepEqual(cycleIn(circle), ['a', 'b', 'c', 'a'])
})
