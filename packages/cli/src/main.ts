/** The process around `run`: arguments, streams, signals and the exit code. No other file of this package touches it. */
import type { Io } from '@worldwright/serve/terminal'

const NEEDED_NODE = 24
/** Time to flush the log at exit, in milliseconds. */
const LAST_WORDS_MS = 2_000

if (Number.parseInt(process.versions.node, 10) < NEEDED_NODE) {
  process.stderr.write(`world needs Node.js ${NEEDED_NODE} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  if (process.argv[2] === 'serve') await boundHeap()
  // A reader that has seen enough, such as `head`, closes the pipe: the work is done.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  process.stderr.on('error', () => {})
  // Cached compiled code makes a world start twice as fast. Without a cache, nothing is lost.
  const { enableCompileCache } = await import('node:module')
  const { directory } = enableCompileCache()
  // Workers and the search process use the same cache; a directory set for this process is inherited.
  if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory
  // Imported only now: its imports need this version.
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2), processIo())
  // An unread log keeps the process alive no longer than that.
  if (process.argv[2] === 'serve') setTimeout(() => process.exit(), LAST_WORDS_MS).unref()
}

/**
 * Re-executes this process with an option that Node.js reads only at startup. If that is impossible, the process continues
 * without the option: on Windows, under the permission model of Node.js, if the Node.js binary cannot be executed, and if
 * a channel to a parent would be lost.
 */
async function boundHeap(): Promise<void> {
  const { heapOptions } = await import('@worldwright/serve/heap-options')
  const { accessSync, constants } = await import('node:fs')
  const options = heapOptions(process.env['NODE_OPTIONS'], process.execArgv)
  if (options.length === 0 || process.channel || process.permission || process.platform === 'win32') return
  try {
    // Node.js aborts if the system refuses.
    accessSync(process.execPath, constants.X_OK)
    const argv = [...options, ...process.execArgv, ...process.argv.slice(1)]
    process.execve?.(process.execPath, [process.execPath, ...argv], process.env)
  } catch {
    // Without the option, the process only uses more memory.
  }
}

function processIo(): Io {
  const ending = new AbortController()
  // Handlers stay on: a second signal must not cut short what the first one began to close.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => ending.abort())
  // By default it kills the process; it has no meaning here.
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
