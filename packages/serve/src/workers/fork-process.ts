import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { setPriority } from 'node:os'

interface ProgramOptions extends Pick<ForkOptions, 'serialization'> {
  /** Niceness, as in nice(1). Default: that of this process. Ignored if the system refuses it. */
  readonly niceness?: number
}

/**
 * Forks a program. Its stdout is discarded, and its stderr is copied to that of this process. stderr is not inherited: if
 * the log's reader stalled, writes would block both processes and no requests would be served.
 */
export function forkProcess(
  program: string,
  args: readonly string[],
  { niceness, ...options }: ProgramOptions = {},
): ChildProcess {
  const child = fork(program, [...args], { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  try {
    // A process that could not be started has no id, and emits `error`.
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {}
  child.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece))
  return child
}
