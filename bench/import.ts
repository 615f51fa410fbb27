/**
 * Measures `world import`, and the file that it leaves: `node --conditions=@worldwright/source bench/import.ts [FILE…]`.
 * Each import is followed within a minute by a bare insert loop over the same file, so read the figures as ratios. Linux
 * only: memory is read from `/proc`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '@worldwright/engines'
import { withTypeInference } from '@worldwright/entities/types'
import { emptyDefinition, importRecords, resultOf, sourceFromFile } from '@worldwright/publish'
import { effectiveTypes } from '@worldwright/publish/types'
import { filesToLoad, peakOf, ROOT } from './measured-loads.ts'

/** Sampling interval for the peak memory of a process, in milliseconds. Growth after the last sample is missed. */
const LOOK_MS = 20

/** Cost of a single load. */
interface Run {
  readonly seconds: number
  readonly maxResidentMb: number
}

/** Runs a program in a folder and discards its output. */
async function run(cwd: string, program: string, ...args: string[]): Promise<Run> {
  const start = performance.now()
  const argv = ['--conditions=@worldwright/source', join(ROOT, program), ...args]
  const child = spawn(process.execPath, argv, { cwd, stdio: 'ignore' })
  let maxResidentMb = 0
  const look = setInterval(() => {
    maxResidentMb = peakOf(child.pid) ?? maxResidentMb
  }, LOOK_MS)
  const [code] = await once(child, 'exit')
  clearInterval(look)
  if (code !== 0) throw new Error(`${program} ended with code ${code}`)
  return { seconds: (performance.now() - start) / 1_000, maxResidentMb }
}

/** Writes a definition whose types have schemas inferred from the whole file, so that every attribute is named. */
async function defineTypes(file: string, folder: string): Promise<number> {
  const store = withTypeInference(await openStore(`sqlite:${join(folder, 'learned.db')}`, { role: 'writer' }))
  const { created } = await resultOf(importRecords(store, [{ source: await sourceFromFile(file) }]))
  const types = await effectiveTypes(emptyDefinition(), store)
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ types }))
  await store.close()
  return created
}

function row(name: string, entities: number, { seconds, maxResidentMb }: Run): string {
  return `| ${name} | ${entities.toLocaleString('en')} | ${seconds.toFixed(1)} | ${Math.round(entities / seconds).toLocaleString('en')} | ${maxResidentMb} |\n`
}

/** Returns a table of the bytes per entity in a store's file, besides the entities' own JSON. */
function bytesIn(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true })
  const one = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0])
  const entities = one('SELECT count(*) FROM entities')
  const json = one('SELECT sum(octet_length(json)) FROM entities')
  const bytes = one('PRAGMA page_count') * one('PRAGMA page_size')
  const free = one('PRAGMA freelist_count') * one('PRAGMA page_size')
  const parts: (readonly [string, number])[] = [
    ['all', bytes - json],
    ['free pages', free],
    ...['entities', 'entities_by_number', 'search_rows'].map((name) => {
      const used = one(`SELECT sum(pgsize) FROM dbstat WHERE name = '${name}' AND aggregate`)
      return [name, name === 'entities' ? used - json : used] as const
    }),
  ]
  db.close()
  const rows = parts.map(([name, size]) => `| ${name} | ${Math.round(size / entities)} |\n`)
  const head = `\nFile: ${Math.round(bytes / 1e6)} MB, JSON of an entity: ${Math.round(json / entities)} bytes\n\n`
  return `${head}| beside its JSON | bytes per entity |\n|---|---|\n${rows.join('')}\n`
}

process.stdout.write('| | entities | seconds | entities/s | resident MB |\n|---|---|---|---|---|\n')
for (const file of filesToLoad()) {
  const folder = mkdtempSync(join(tmpdir(), 'world-bench-'))
  mkdirSync(join(folder, 'bare'))
  try {
    const entities = await defineTypes(file, folder)
    const ours = await run(folder, 'packages/cli/src/main.ts', 'import', file, '--replace')
    process.stdout.write(row(`${basename(file)}, import`, entities, ours))
    const bare = await run(folder, 'bench/publish/bare.ts', file, join(folder, 'bare/x.db'))
    process.stdout.write(row(`${basename(file)}, bare insert loop`, entities, bare))
    process.stdout.write(bytesIn(join(folder, 'world.db')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
