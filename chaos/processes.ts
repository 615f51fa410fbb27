/** What the system says of the processes of a served world. */
import { readdirSync, readFileSync } from 'node:fs'
import type { ServedWorld } from './served-world.ts'

/** Bytes of memory of these processes together. What they share, such as Node's own code, counts in each of them. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`)) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Milliseconds of processor time that these processes have had so far, with all their threads. */
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

/** Every process of a world, as they are now. */
export function pidsOf(world: ServedWorld): number[] {
  return (['owner', 'worker', 'searcher'] as const).flatMap((part) => world.pids(part))
}

/** Empty if the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
