/** Cores of this machine, and which of them servers and load run on. */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** False if the machine has one core or no `taskset`: then everything runs anywhere. */
export const isPinned = cpus().length > 1 && spawnSync('taskset', ['--version']).error === undefined

/** Core of a server that is one process. */
export const SERVER_CORE = '0'
/** Core of the load, and of the benchmark itself. */
export const LOAD_CORE = '1'

const cores = cpus().map((_, core) => String(core))

/** Cores of a server of several processes: all but the load's. */
export const SERVER_CORES = cores.filter((core) => core !== LOAD_CORE).join(',')
/** Every core, for servers of several processes. */
export const ALL_CORES = cores.join(',')

/** Returns a command with its arguments that runs another one on these cores. */
export function onCores(
  which: string,
  [program, ...args]: readonly [string, ...string[]],
): [string, string[]] {
  return isPinned ? ['taskset', ['-c', which, program, ...args]] : [program, args]
}

/** Moves this process to the core of the load: it reads the servers' logs while they are measured. */
export function leaveServerCore(): void {
  if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', LOAD_CORE, String(process.pid)])
}
