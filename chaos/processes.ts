/** Reads the memory and processor time of a served world's processes from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'
import type { ServedWorld } from './served-world.ts'

/** Returns the total resident bytes of these processes. Shared memory, such as Node.js code, counts once per process. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Returns the total processor time of all threads of these processes, in milliseconds. */
export function workedMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const nanoseconds = tasksOf(pid).map((task) => read(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0])
    return sum + nanoseconds.reduce((all, some) => all + Number(some || 0), 0) / 1e6
  }, 0)
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Returns the current process ids of a world. */
export function pidsOf(world: ServedWorld): number[] {
  return (['primary', 'worker', 'searcher'] as const).flatMap((part) => world.pids(part))
}

/** Returns the content of a file, or an empty string if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
