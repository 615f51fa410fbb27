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

const ORIGIN = /http:\/\/127\.0\.0\.1:[0-9]+/g
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
  /** Waits for a line of its log, other than those of requests. Rejects if the process ends before. */
  readonly until: (pattern: RegExp) => Promise<string>
}

/** Starts `world serve`, by default on a free port, and waits for its address. Stops it at the end of `lifetime`. */
export function serve(lifetime: Lifetime, ...args: readonly string[]): Promise<Served> {
  return serveIn(ROOT, lifetime, ...args)
}

/** Does the same as `serve`, in the folder `cwd`. */
export function serveIn(cwd: string, lifetime: Lifetime, ...args: readonly string[]): Promise<Served> {
  return serveWith({ cwd }, lifetime, ...args)
}

/** Does the same as `serve`, with a working directory and further environment variables. */
export async function serveWith(
  { cwd = ROOT, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  lifetime: Lifetime,
  ...args: readonly string[]
): Promise<Served> {
  const port = args.includes('--port') ? [] : ['--port', '0']
  const child = spawn(process.execPath, [SOURCE, WORLD, 'serve', ...args, ...port], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  lifetime.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
  const said: string[] = []
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = (line: string) => line.search(pattern) >= 0 && resolve(line)
      said.forEach(look)
      lines.on('line', look)
      lines.once('close', () => reject(new Error(`world serve ended, after it said:\n${said.join('\n')}`)))
    })
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => line.includes('"event":"request"') || said.push(line))
  // A replica prints the URL of its upstream first.
  const origin = (await until(ORIGIN)).match(ORIGIN)?.at(-1) ?? ''
  return { origin, child, until }
}

/** Splits a command line into words as a shell does, at spaces outside quotes. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  )
}
