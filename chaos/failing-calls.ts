/**
 * Makes every write, sync, rename, truncation and removal of a fixed script fail once, each in a separate run. The caller
 * must get an error with a code, no acknowledged write may be lost, and the store must stay intact.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { namedValue } from '@worldwright/core/store'
import { openStore, storeAt } from '@worldwright/engines'
import { builtShim, hasCompiler } from './built-shim.ts'
import { type Effort, type Finding, finding, notRun } from './fault.ts'

const CALLS = 300

/** Outcome of one step of the victim's script. */
interface Step {
  readonly number: number
  readonly step: string
  readonly error?: string
  readonly code?: string
}

/** Runs the fault for each of the first 300 calls of the script, or for every tenth call in a short run. */
export async function failingCalls({ short }: Effort): Promise<Finding> {
  if (!hasCompiler()) return notRun('there is no gcc')
  const base = mkdtempSync(join(tmpdir(), 'world-calls-'))
  try {
    const shim = builtShim('failing-disk', base)
    const folder = join(base, 'stores')
    mkdirSync(folder)
    const calls = await callsOfScript(shim, folder)
    const every = short ? 10 : 1
    const numbers = Array.from({ length: Math.min(CALLS, calls) }, (_, at) => at + 1).filter(
      (number) => number % every === 0,
    )
    const steps = await victim(shim, folder, numbers)
    return await judged(folder, numbers, steps, calls)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Counts the calls that the script makes if none fails. */
async function callsOfScript(shim: string, folder: string): Promise<number> {
  // The script makes far fewer calls, so none of them fails.
  await victim(shim, folder, [1_000_000])
  return Number(readFileSync(`${folder}.calls`, 'utf8'))
}

async function victim(shim: string, folder: string, numbers: readonly number[]): Promise<Step[]> {
  const program = join(import.meta.dirname, 'failing-calls-victim.ts')
  const child = spawn(
    process.execPath,
    ['--conditions=@worldwright/source', program, folder, ...numbers.map(String)],
    { env: { ...process.env, LD_PRELOAD: shim, CHAOS_FOLDER: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (child.exitCode !== 0) throw new Error(`the script ended with ${child.exitCode ?? child.signalCode}`)
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function judged(
  folder: string,
  numbers: readonly number[],
  steps: readonly Step[],
  calls: number,
): Promise<Finding> {
  const mistakes = { lost: 0, 'half done': 0, damaged: 0, 'told without a code': 0 }
  let refused = 0
  for (const number of numbers) {
    const own = steps.filter((step) => step.number === number)
    const failed = own.filter(({ error }) => error !== undefined)
    refused += failed.length
    if (failed.some(({ code }) => code === undefined)) mistakes['told without a code'] += 1
    const file = join(folder, String(number), 'world.db')
    const done = new Set(own.filter(({ error }) => error === undefined).map(({ step }) => step))
    if (!done.has('open')) continue
    const store = await openStore(`sqlite:${file}`, { role: 'writer' })
    const isThere = async (id: string) => (await store.get('chaos:thing', id)) !== undefined
    for (const step of done) {
      const [what, id = ''] = step.split(' ')
      if (
        what === 'put' &&
        !(await isThere(id)) &&
        !(id === 'a' && own.some((one) => one.step === 'delete a'))
      )
        mistakes.lost += 1
      if (what === 'delete' && (await isThere(id))) mistakes.lost += 1
    }
    if (done.has('token') && (await namedValue(store, '~token')) === undefined) mistakes.lost += 1
    if (done.has('backup') !== existsSync(`${file}.backup`)) mistakes['half done'] += 1
    let imported = 0
    for (let at = 0; at < 40; at++) if (await isThere(`i${at}`)) imported += 1
    if (imported !== 0 && imported !== 40) mistakes['half done'] += 1
    if (done.has('import') && imported !== 40) mistakes.lost += 1
    await store.close()
    const whole = await storeAt(`sqlite:${file}`)
    const { problems } = await whole.verify()
    if (problems.length > 0 || !(await whole.verifySearchIndex()).agrees) mistakes.damaged += 1
  }
  return finding(
    `${numbers.length} of ${calls} calls of a script failed, each in a run of its own; ${refused} steps were refused`,
    mistakes,
  )
}
