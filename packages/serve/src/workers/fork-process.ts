/** Starts further processes of a server. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { setPriority } from 'node:os'

/** Options for forking a program. */
interface ProgramOptions extends Pick<ForkOptions, 'serialization'> {
  /** Niceness as in nice(1); absent: that of this process. Ignored if the system does not allow it. */
  readonly niceness?: number
}

/**
 * Forks a program without output of its own; the errors it dies of go to stderr. It must not inherit our stderr: that would
 * make stderr block in both processes, so that no request is answered while nobody reads the log.
 */
export function forkProcess(
  program: string,
  args: readonly string[],
  { niceness, ...options }: ProgramOptions = {},
): ChildProcess {
  const child = fork(program, [...args], { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  try {
    // A program that could not be started has no process id, and emits `error`.
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {}
  child.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece))
  return child
}
