/** Assigns servers and load to the cores of this machine. */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** False if the machine has a single core or no `taskset`. Processes are then not pinned. */
export const isPinned = cpus().length > 1 && spawnSync('taskset', ['--version']).error === undefined

/** Core of a server with a single process. */
export const SERVER_CORE = '0'
/** Core of the load and of the benchmark itself. */
export const LOAD_CORE = '1'

const cores = cpus().map((_, core) => String(core))

/** Cores of a server with several processes: all except the load's core. */
export const SERVER_CORES = cores.filter((core) => core !== LOAD_CORE).join(',')
/** Every core, for servers with several processes. */
export const ALL_CORES = cores.join(',')

/** Wraps a command so that it runs on these cores. */
export function onCores(
  which: string,
  [program, ...args]: readonly [string, ...string[]],
): [string, string[]] {
  return isPinned ? ['taskset', ['-c', which, program, ...args]] : [program, args]
}

/** Moves this process to the load core, because it reads the servers' logs during a measurement. */
export function leaveServerCore(): void {
  if (isPinned) spawnSync('taskset', ['-a', '-c', '-p', LOAD_CORE, String(process.pid)])
}
