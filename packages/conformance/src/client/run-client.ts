/** Runs a client that is a command, and parses the output of any client. */
import { spawn } from 'node:child_process'
import type { RecordedRun } from '../check/check.ts'
import { cut } from '../http/exchange.ts'
import { isObject, type JsonObject, parseJson } from '../json/json.ts'

/** Result of a single run of the client. */
export interface Run {
  readonly arguments: readonly string[]
  /** Exit code; null if the client was killed or could not be started. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  /** True if the client exceeded its time limit. */
  readonly late: boolean
}

/** Options for a single run of a command. */
export interface CommandOptions {
  /** Milliseconds until the process is killed. */
  readonly timeout: number
  readonly env?: Readonly<Record<string, string>>
  /** Kills the process when aborted. */
  readonly signal?: AbortSignal | undefined
}

/** Maximum output kept per stream, in UTF-16 code units; a client that prints more is broken anyway. */
const MAX_OUTPUT = 8 * 1024 * 1024

/** Splits a command line at spaces outside single and double quotes. */
export function words(command: string): string[] {
  const found = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return found.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
}

/** Runs `command` with the arguments in `further` appended. Resolves even if the command cannot be started. */
export function runCommand(
  command: readonly string[],
  further: readonly string[],
  { timeout, env = {}, signal }: CommandOptions,
): Promise<Run> {
  const [file = '', ...own] = command
  // This timer ends with the process; the option `timeout` would outlive a command that cannot be started.
  const time = AbortSignal.timeout(timeout)
  return new Promise((resolve) => {
    const child = spawn(file, [...own, ...further], {
      env: { ...environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      signal: signal === undefined ? time : AbortSignal.any([time, signal]),
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8')
      child[name].on('data', (text: string) => {
        if (output[name].length < MAX_OUTPUT) output[name] += text
      })
    }
    const done = (exitCode: number | null, late: boolean) =>
      resolve({ arguments: further, exitCode, ...output, late })
    child.on('error', ({ message }) => {
      if (time.aborted) return
      output.stderr += `${message}\n`
      done(null, false)
    })
    child.on('close', (code) => done(code, time.aborted))
  })
}

/** Returns the process environment without the caller's `WORLD_*` settings and proxies, which would mislead a client. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WORLD_.*|(https?|all)_proxy)$/i.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1' }
}

/** Returns the error object in the last line of stderr, or undefined if that line is not a JSON object. */
export function failureOf(run: Run): JsonObject | undefined {
  const last = run.stderr.trimEnd().split('\n').at(-1) ?? ''
  const value = parseJson(last)
  return isObject(value) ? value : undefined
}

/** Returns the JSON values that a run printed: stdout as a single document, or else one value per line. */
export function resultsOf(run: Run): unknown[] {
  const whole = parseJson(run.stdout)
  if (whole !== undefined) return [whole]
  return run.stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parseJson)
}

/** Returns the entities that `list` or `discover` printed: one per line, as an array, or as an object with an array. */
export function entitiesOf(run: Run): unknown[] {
  const results = resultsOf(run)
  const [first] = results
  if (results.length !== 1) return results
  return arrayIn(first) ?? results
}

/** Returns the member called `name` of each printed entity. */
export function valuesOf(run: Run, name: string): unknown[] {
  return entitiesOf(run).map((entity) => (isObject(entity) ? entity[name] : undefined))
}

function arrayIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return undefined
  const named = ['entities', 'items', 'results', 'data', 'matches']
    .map((name) => value[name])
    .find(Array.isArray)
  return named ?? (isObject(value['output']) ? arrayIn(value['output']) : undefined)
}

/** Formats a run as text for a report. */
export function recordRun(command: readonly string[], run: Run): RecordedRun {
  return {
    command: [...command, ...run.arguments]
      .map((word) => (/^[\w./:@=-]+$/.test(word) ? word : JSON.stringify(word)))
      .join(' '),
    exit: run.late ? 'killed: it did not end in time' : String(run.exitCode),
    stdout: cut(run.stdout, 3_000),
    stderr: cut(run.stderr, 3_000),
  }
}
