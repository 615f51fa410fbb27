/** Memory and processor time of the processes of a served world, from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs'
import type { ServedWorld } from './served-world.ts'

/** Returns the resident bytes of these processes together. Shared memory, such as the code of Node.js, counts in each. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Returns the processor time of these processes so far, with all their threads, in milliseconds. */
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

/** Returns the current processes of a world. */
export function pidsOf(world: ServedWorld): number[] {
  return (['primary', 'worker', 'searcher'] as const).flatMap((part) => world.pids(part))
}

/** Returns the content of a file; empty if the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
