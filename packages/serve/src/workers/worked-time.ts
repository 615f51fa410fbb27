/** Measures the time that a process spends on work. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { MaybePromise } from '@worldwright/core/store'

/** Result of a call, with its work time. */
export interface Timed<Result> {
  readonly result: Result
  /**
   * Work time, in milliseconds. Excludes time in which the system ran other processes instead, if it reports that (Linux).
   * Zero if the clock is too coarse.
   */
  readonly workedMs: number
}

/** Runs work and measures the time it takes. Meanwhile, the process must do nothing else. */
export async function timed<Result>(work: () => MaybePromise<Result>): Promise<Timed<Result>> {
  const began = performance.now()
  const delayedBefore = delay.ms()
  const result = await work()
  // Read the delay before the clock, so that no delay outside the measured time is subtracted.
  const delayed = delay.ms() - delayedBefore
  return { result, workedMs: Math.max(0, performance.now() - began - delayed) }
}

/** Fields of the scheduler statistics: run time and wait time in nanoseconds, and the number of time slices. */
const DELAY = /^\d+ (\d+) /

const text = Buffer.alloc(64)

/** Time that the main thread of a process has waited for a core, in milliseconds; zero if the system does not report it. */
export class CoreDelay {
  #file: number | undefined

  constructor(pid: number | 'self') {
    try {
      this.#file = openSync(`/proc/${pid}/schedstat`, 'r')
    } catch {
      // Only Linux has this file.
    }
  }

  ms(): number {
    if (this.#file === undefined) return 0
    try {
      const read = text.toString('latin1', 0, readSync(this.#file, text, 0, 64, 0))
      return Number(DELAY.exec(read)?.[1] ?? 0) / 1e6
    } catch {
      // The process has exited.
      return 0
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

const delay = new CoreDelay('self')

/**
 * Calls `late` when a process has been busy or idle for `limitMs`. Time in which it waits for a core does not count.
 * Returns a function that cancels the call.
 */
export function afterWorking(
  process: Pick<CoreDelay, 'ms'>,
  limitMs: number,
  late: () => void,
  now = () => performance.now(),
): () => void {
  const end = now() - process.ms() + limitMs
  let timer = setTimeout(check, limitMs)
  function check(): void {
    const left = end - (now() - process.ms())
    if (left < 1) late()
    else timer = setTimeout(check, left)
  }
  return () => clearTimeout(timer)
}
