/** Runs the `world` command as a user does, in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { ROOT } from './source-files.ts'

/** Output and exit code of a command that has ended. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const SOURCE = '--conditions=@worldwright/source'
const WORLD = join(ROOT, 'packages/cli/src/main.ts')

/** Runs a TypeScript program of the repository until it exits. */
export async function runProgram(
  file: string,
  args: readonly string[],
  input?: string,
  cwd = ROOT,
): Promise<Finished> {
  const child = spawn(process.execPath, [SOURCE, file, ...args], { cwd })
  child.stdin.end(input ?? '')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return { code: child.exitCode, stdout, stderr }
}

/** Runs `world` with these arguments until it exits. */
export function world(...args: readonly string[]): Promise<Finished> {
  return runProgram(WORLD, args)
}

/** Runs `world` with these arguments in the folder `cwd` until it exits. */
export function worldIn(cwd: string, ...args: readonly string[]): Promise<Finished> {
  return runProgram(WORLD, args, undefined, cwd)
}

/** Scope at whose end resources are released: a test, given by its context, or several tests. */
export interface Lifetime {
  after(end: () => Promise<void>): void
}

/** A running `world serve` process that has printed its address. */
export interface Served {
  readonly origin: string
  readonly child: ChildProcess
}

/** Starts `world serve`, by default on a free port, and waits for its address. Stops it at the end of `lifetime`. */
export function serve(lifetime: Lifetime, ...args: readonly string[]): Promise<Served> {
  return serveIn(ROOT, lifetime, ...args)
}

/** Does the same as `serve`, in the folder `cwd`. */
export async function serveIn(cwd: string, lifetime: Lifetime, ...args: readonly string[]): Promise<Served> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [SOURCE, WORLD, 'serve', ...args, ...port], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  lifetime.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    // A replica prints the URL of its upstream first.
    const origin = line.match(/http:\/\/127\.0\.0\.1:[0-9]+/g)?.at(-1)
    if (origin !== undefined) {
      child.stderr.resume()
      return { origin, child }
    }
  }
  throw new Error(`world serve ended before it listened:\n${lines.join('\n')}`)
}

/** Splits a command line into words as a shell does, at spaces outside quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  )
}
