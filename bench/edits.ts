/**
 * Measures what an edit of one small file costs: `node --conditions=@worldwright/source bench/edits.ts [ROUNDS]`. `world serve`
 * publishes 30 CSV files, 29 of 10,310 rows and one of 1,000, from a store in a file. Measured are the first load, until the first
 * type is served and until all are, the time from an edit of one row to its new value over HTTP, and a restart after such an edit.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from './measured-loads.ts'

const FILES = 30
const ROWS = 10_310
const ROWS_OF_SMALL = 1_000

function table(file: number, first: string): string {
  const rows = Array.from({ length: file === 0 ? ROWS_OF_SMALL : ROWS }, (_, row) => {
    const name = row === 0 ? first : `Thing ${row} of ${file}`
    return `t${row},${name},${(row * 7_919) % 1_000},2024-0${(row % 9) + 1}-11,t${row % 1_000}`
  })
  return `id,name,amount,on,near\n${rows.join('\n')}\n`
}

const folder = mkdtempSync(join(tmpdir(), 'world-edits-'))
const small = join(folder, 'f0.csv')
const types = Array.from(
  { length: FILES },
  (_, file) => `  - type: edits:t${file}
    schema: { type: object, properties: { amount: { type: integer }, on: { type: string, format: date } } }\n`,
)
const sources = Array.from(
  { length: FILES },
  (_, file) =>
    `  - { file: f${file}.csv, type: edits:t${file}, title: name, references: { near: { column: near, type: edits:t0 } } }\n`,
)
writeFileSync(join(folder, 'world.yaml'), `types:\n${types.join('')}sources:\n${sources.join('')}`)
for (let file = 0; file < FILES; file++) writeFileSync(join(folder, `f${file}.csv`), table(file, 'first'))

/** Starts `world serve`, and returns the process and its origin once it serves. `onListening` is called before. */
async function served(
  onListening = (_origin: string) => {},
): Promise<{ child: ChildProcess; origin: string }> {
  const program = join(ROOT, 'packages/cli/src/main.ts')
  const argv = ['--conditions=@worldwright/source', program, 'serve', folder, '--port', '0', '--workers', '1']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  for await (const chunk of child.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += chunk
    const host = /Until that is done, (\S+)/.exec(String(chunk))?.[1]
    if (host !== undefined) onListening(`http://${host}`)
    const origin = /Serving at (\S+)/.exec(said)?.[1]
    if (origin === undefined) continue
    child.stderr?.resume()
    return { child, origin }
  }
  throw new Error(said)
}

/** Waits until the first row of the small file has this title. */
async function serves(origin: string, title: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/api/world/v0/entities/edits:t0/t0`)
    if (((await answer.json()) as { title?: string }).title === title) return
    await pause(10)
  }
}

async function stopped({ child }: { child: ChildProcess }): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1_000
}

const shown = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[sorted.length >> 1]?.toFixed(2)} (${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)})`
}

const rounds = Number(process.argv[2] ?? 5)
try {
  let world!: Awaited<ReturnType<typeof served>>
  const start = performance.now()
  let firstType = Promise.resolve(0)
  world = await served((origin) => {
    firstType = serves(origin, 'first').then(() => (performance.now() - start) / 1_000)
  })
  const first = (performance.now() - start) / 1_000
  process.stdout.write(`| first type of the first load, s | ${(await firstType).toFixed(2)} |\n`)
  await stopped(world)
  const kept = await seconds(async () => {
    world = await served()
  })
  const edits: number[] = []
  for (let round = 0; round < rounds; round++) {
    const title = `edit ${round}`
    writeFileSync(small, table(0, title))
    edits.push(await seconds(() => serves(world.origin, title)))
    await pause(1_000)
  }
  const restarts: number[] = []
  for (let round = 0; round < rounds; round++) {
    await stopped(world)
    const title = `restart ${round}`
    writeFileSync(small, table(0, title))
    const restart = async () => {
      world = await served()
      await serves(world.origin, title)
    }
    restarts.push(await seconds(restart))
  }
  await stopped(world)
  process.stdout.write(`| first load, s | ${first.toFixed(2)} |\n`)
  process.stdout.write(`| restart without a change, s | ${kept.toFixed(2)} |\n`)
  process.stdout.write(`| edit of one row to its new value, s | ${shown(edits)} |\n`)
  process.stdout.write(`| restart after an edit to its new value, s | ${shown(restarts)} |\n`)
} finally {
  rmSync(folder, { recursive: true })
}
