/** Entry point: connects `run` to the arguments, streams, signals and exit code of the process. */
import type { Io } from '@worldwright/serve/terminal'

/** Maximum time to flush the log at exit, in milliseconds. */
const LAST_WORDS_MS = 2_000

if (process.argv[2] === 'serve') await boundHeap()
// A reader such as `head` may close the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.stderr.on('error', () => {})
// The compile cache makes a world start twice as fast. It is optional.
const { enableCompileCache } = await import('node:module')
const { directory } = enableCompileCache()
// Workers and the search process inherit the cache directory through the environment.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory
// Imported after the cache is enabled, so that it is loaded from there.
const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), processIo())
// Exit even if the log reader does not drain the pipe.
if (process.argv[2] === 'serve') setTimeout(() => process.exit(), LAST_WORDS_MS).unref()

/**
 * Re-executes the process with heap options that Node.js reads only at startup. Continues without them on Windows, under the
 * Node.js permission model, if the Node.js binary is not executable, or if an IPC channel to a parent would be lost.
 */
async function boundHeap(): Promise<void> {
  const { heapOptions } = await import('@worldwright/serve/heap-options')
  const { accessSync, constants } = await import('node:fs')
  const options = heapOptions(process.env['NODE_OPTIONS'], process.execArgv)
  if (options.length === 0 || process.channel || process.permission || process.platform === 'win32') return
  try {
    // Check first, because Node.js aborts the process if execve fails.
    accessSync(process.execPath, constants.X_OK)
    const argv = [...options, ...process.execArgv, ...process.argv.slice(1)]
    process.execve?.(process.execPath, [process.execPath, ...argv], process.env)
  } catch {
    // Without the options, the process just uses more memory.
  }
}

function processIo(): Io {
  const ending = new AbortController()
  // Keep the handlers installed: a second signal must not interrupt the shutdown.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => ending.abort())
  // Ignored, because its default action kills the process.
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
