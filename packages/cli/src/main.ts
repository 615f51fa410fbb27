/** The process around `run`: arguments, streams, signals and the exit code. Nothing else of this package touches it. */
import type { Io } from '@worldwright/serve/terminal'

const NEEDED_NODE = 24
/** How long the last lines of a log may take, in milliseconds. */
const LAST_WORDS_MS = 2_000

if (Number.parseInt(process.versions.node, 10) < NEEDED_NODE) {
  process.stderr.write(`world needs Node.js ${NEEDED_NODE} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  if (process.argv[2] === 'serve') await boundHeap()
  // A reader that has seen enough, such as `head`, closes the pipe: the work is done.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  process.stderr.on('error', () => {})
  // Compiled code is kept between runs: a world starts twice as fast. If it cannot be kept, nothing is lost.
  const { enableCompileCache } = await import('node:module')
  const { directory } = enableCompileCache()
  // Workers and the search process keep theirs in the same place; where it was named to this process, they have the name.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory
  // Imported only now: what it imports needs this version.
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2), processIo())
  // What is left of a log that nobody reads keeps the process no longer than that.
  if (process.argv[2] === 'serve') setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
}

/**
 * Replaces this process by itself, with an option that Node reads only at its start. If that is not possible, it runs
 * on without the option: on Windows, under Node's permission model, where Node's file cannot be executed, and where a
 * channel to a parent would be lost.
 */
async function boundHeap(): Promise<void> {
  const { heapOptions } = await import('@worldwright/serve/heap-options')
  const { accessSync, constants } = await import('node:fs')
  const options = heapOptions(process.env['NODE_OPTIONS'], process.execArgv)
  if (options.length === 0 || process.channel || process.permission || process.platform === 'win32') return
  try {
    // Node aborts where the system refuses.
    accessSync(process.execPath, constants.X_OK)
    const argv = [...options, ...process.execArgv, ...process.argv.slice(1)]
    process.execve?.(process.execPath, [process.execPath, ...argv], process.env)
  } catch {
    // Without the option only memory is lost.
  }
}

function processIo(): Io {
  const ending = new AbortController()
  // Handlers stay on: a second signal must not cut short what the first one began to close.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => ending.abort())
  // It would end the process on the spot, and means nothing here.
  process.on('SIGALRM', () => {})
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: ending.signal,
    onHangup: (listener) => process.on('SIGHUP', listener),
  }
}
