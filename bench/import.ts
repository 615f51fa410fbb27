/**
 * How fast, and in how much memory, files become a world: `node --conditions=@worldwright/source bench/import.ts [FILE…]`.
 * Beside each import stands a bare insert loop over the same file, in the same minute: read the figures as ratios.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const DATA = resolve(import.meta.dirname, '../../shared/data/entities')
const FILES =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [join(DATA, 'medium.ndjson.gz'), join(DATA, 'large.ndjson.gz')]

interface Run {
  readonly records: number
  readonly seconds: number
  readonly maxResidentMb: number
}

/** Holds the heap where the live data is, instead of letting garbage grow it: docs/guides/operate.md names the same. */
const HELD = ['--max-old-space-size=130', '--max-semi-space-size=4']

function run(file: string, kind: string, flags: readonly string[] = []): Run {
  const folder = mkdtempSync(join(tmpdir(), 'world-bench-'))
  try {
    const program = join(import.meta.dirname, 'publish/load.ts')
    const args = [...flags, '--conditions=@worldwright/source', program, file, join(folder, 'x.db'), kind]
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function row(name: string, { records, seconds, maxResidentMb }: Run): string {
  return `| ${name} | ${records.toLocaleString('en')} | ${seconds.toFixed(1)} | ${Math.round(records / seconds).toLocaleString('en')} | ${maxResidentMb} |`
}

process.stdout.write('| | entities | seconds | entities/s | resident MB |\n|---|---|---|---|---|\n')
for (const file of FILES) {
  process.stdout.write(`${row(`${basename(file)}, import`, run(file, 'world'))}\n`)
  process.stdout.write(`${row(`${basename(file)}, import, heap held`, run(file, 'world', HELD))}\n`)
  process.stdout.write(`${row(`${basename(file)}, bare insert loop`, run(file, 'bare'))}\n`)
}
