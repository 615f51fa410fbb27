/**
 * Measures speed and peak memory of `world import`: `node --conditions=@worldwright/source bench/import.ts [FILE…]`.
 * Each import is followed within a minute by a bare insert loop over the same file, so read the figures as ratios. Linux
 * only: memory is read from `/proc`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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
  } finally {
    rmSync(folder, { recursive: true })
  }
}
