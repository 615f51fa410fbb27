/** Starting further processes of a server. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'

/**
 * Forks a program that has no output of its own but what it says when it breaks, which goes to stderr. Its stderr is not
 * ours: a process that inherits one makes it block, for both, and then nobody answers while nobody reads the log.
 */
export function forkProcess(
  program: string,
  args: readonly string[],
  options: Pick<ForkOptions, 'serialization'> = {},
): ChildProcess {
  const child = fork(program, [...args], { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  child.stderr?.on('data', (piece: Buffer) => process.stderr.write(piece))
  return child
}
