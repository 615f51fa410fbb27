/** Starting further processes of a server. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { setPriority } from 'node:os'

/** How a program is forked. */
interface ProgramOptions extends Pick<ForkOptions, 'serialization'> {
  /** How nice it is to other processes, as nice(1) counts; absent: as this one. A system that allows none goes on without. */
  readonly niceness?: number
}

/**
 * Forks a program that has no output of its own but what it says when it breaks, which goes to stderr. Its stderr is not
 * ours: a process that inherits one makes it block, for both, and then nobody answers while nobody reads the log.
 */
export function forkProcess(
  program: string,
  args: readonly string[],
  { niceness, ...options }: ProgramOptions = {},
): ChildProcess {
  const child = fork(program, [...args], { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  try {
    // A program that could not be started has no number, and says so by its `error`.
    if (niceness !== undefined && child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {}
  child.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece))
  return child
}
