import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SourceFile, sourceFiles } from './source-files.ts'

/**
 * Who may import whom, as ARCHITECTURE.md has it: the first rule whose `files` fits decides. `own` lists folders and
 * files of ours; `packages` what may come from elsewhere besides `node:`.
 */
interface Rule {
  readonly files: RegExp
  readonly own: readonly RegExp[]
  readonly packages?: readonly string[]
  /** Whether `node:` modules may be used. */
  readonly node?: false
}

const PROTOCOL = /^packages\/client\/src\/protocol\.ts$/
const CLIENT = /^packages\/client\/src\//
const GUARD = /^packages\/client\/src\/guard\//
const SEARCH = /^packages\/server\/src\/search\//
const STORAGE = /^packages\/server\/src\/storage\//
const WORLD = /^packages\/server\/src\/world\//
const HANDLER = /^packages\/server\/src\/handler\//
const ADAPTERS = /^packages\/server\/src\/adapters\//
const STORES = /^packages\/server\/src\/stores\//
const WORKERS = /^packages\/server\/src\/workers\//
const PUBLISH = /^packages\/server\/src\/publish\//
const OPERATOR = /^packages\/server\/src\/operator\//
/** What the server package offers under a name: its entries. */
const SERVER_ENTRY = /^packages\/server\/src\/(?:(?:\w+\/)*index|publish\/definition\/settings)\.ts$/
const SERVER_INDEX = /^packages\/server\/src\/index\.ts$/
const CONFORMANCE = /^packages\/conformance\/src\//
const CLI = /^packages\/cli\/src\//

const EXPLORER = /^packages\/explorer\/src\//

const TABLE: readonly Rule[] = [
  { files: PROTOCOL, own: [], node: false },
  // The one part of the client that needs Node.
  { files: GUARD, own: [GUARD, /^packages\/client\/src\/(?:error|redirect)\.ts$/] },
  { files: CLIENT, own: [/^packages\/client\/src\/(?!guard\/)/], node: false },
  { files: SEARCH, own: [SEARCH] },
  { files: STORAGE, own: [STORAGE, SEARCH, PROTOCOL], packages: ['canonicalize'] },
  { files: WORLD, own: [WORLD, STORAGE, PROTOCOL] },
  { files: HANDLER, own: [HANDLER, WORLD, STORAGE, PROTOCOL] },
  { files: ADAPTERS, own: [ADAPTERS, HANDLER, WORLD] },
  {
    files: PUBLISH,
    own: [PUBLISH, WORLD, STORAGE, PROTOCOL],
    packages: [
      'ajv/dist/2020.js',
      'ajv-formats',
      'csv-parse',
      'csv-parse/sync',
      'csv-stringify/sync',
      'yaml',
    ],
  },
  { files: OPERATOR, own: [OPERATOR, PUBLISH, HANDLER, WORLD, STORAGE, PROTOCOL] },
  { files: STORES, own: [STORES, STORAGE] },
  { files: WORKERS, own: [WORKERS, ADAPTERS, STORES, STORAGE] },
  { files: SERVER_INDEX, own: [ADAPTERS, HANDLER, WORLD, STORAGE] },
  {
    files: EXPLORER,
    own: [EXPLORER, /^packages\/client\/src\/index\.ts$/, PROTOCOL],
    packages: [
      'preact',
      'preact/hooks',
      '@preact/signals',
      '@zag-js/preact',
      '@zag-js/tabs',
      '@tanstack/virtual-core',
      'virtual:outline',
    ],
    node: false,
  },
  { files: /^packages\/explorer\//, own: [/^packages\/explorer\/build\//], packages: ['vite'] },
  { files: CONFORMANCE, own: [CONFORMANCE] },
  {
    files: CLI,
    own: [
      CLI,
      /^packages\/client\/src\/index\.ts$/,
      PROTOCOL,
      SERVER_ENTRY,
      /^packages\/conformance\/src\/index\.ts$/,
    ],
    packages: ['@prometheus-io/client', 'chokidar', 'commander', 'log-update'],
  },
]

/** Everything `file` imports that the table does not allow it. */
function offences(file: SourceFile): string[] {
  const rule = TABLE.find(({ files }) => files.test(file.path))
  if (rule === undefined) return [`${file.path} stands in no row of the import table`]
  const allowed = (target: string) =>
    target.startsWith('node:')
      ? rule.node !== false
      : rule.own.some((own) => own.test(target)) || (rule.packages ?? []).includes(target)
  return file.imports.filter((target) => !allowed(target)).map((target) => `${file.path} imports ${target}`)
}

const shipped = sourceFiles().filter((file) => !file.isTest)

test('imports run one way, as the table says', () => {
  assert.ok(shipped.length > 30)
  assert.deepEqual(shipped.flatMap(offences), [])
})

test('storage contract and engines: an engine is imported by nobody below the server index', () => {
  const engines = /^packages\/server\/src\/storage\/(?!contract\.ts)/
  const offenders = shipped
    .filter((file) => WORLD.test(file.path) || HANDLER.test(file.path) || ADAPTERS.test(file.path))
    .flatMap((file) =>
      file.imports.filter((target) => engines.test(target)).map((target) => `${file.path} → ${target}`),
    )
  assert.deepEqual(offenders, [])
})

/** A cycle in a graph as a path of nodes, or undefined. */
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

test('no files import each other in a circle', () => {
  const graph = graphOf((path) => path)
  assert.equal(cycleIn(graph), undefined)
  for (const file of shipped) assert.ok(!file.imports.includes(file.path), `${file.path} imports itself`)
})

test('no folders import each other in a circle', () => {
  assert.equal(cycleIn(graphOf((path) => path.replace(/\/[^/]+$/, ''))), undefined)
})

test('the checks above can fail', () => {
  const file = (path: string, ...imports: string[]) => ({ path, text: '', imports, isTest: false })
  assert.equal(
    offences(file('packages/server/src/world/x.ts', 'packages/server/src/handler/handler.ts')).length,
    1,
  )
  assert.equal(offences(file('packages/client/src/x.ts', 'node:fs')).length, 1)
  assert.equal(offences(file('packages/server/src/search/x.ts', 'lodash')).length, 1)
  assert.equal(offences(file('packages/elsewhere/x.ts')).length, 1)
  const circle = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c'])],
    ['c', new Set(['a'])],
  ])
  assert.deepEqual(cycleIn(circle), ['a', 'b', 'c', 'a'])
})
