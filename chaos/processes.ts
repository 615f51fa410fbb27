/** What the system says of the processes of a served world. */
import { readFileSync } from 'node:fs'
import type { ServedWorld } from './served-world.ts'

/** Bytes of memory of all its processes together. What they share, such as Node's own code, counts in each of them. */
export function memoryOf(world: ServedWorld): number {
  const pids = (['owner', 'worker', 'searcher'] as const).flatMap((part) => world.pids(part))
  return pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(statusOf(pid)) ?? []
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Empty where the process is gone. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
