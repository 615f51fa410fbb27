/** Time for which work kept this process busy. */
import { openSync, readSync } from 'node:fs'
import type { MaybePromise } from '@worldwright/core/store'

/** Result of a call, and its working time, in milliseconds. */
export interface Timed<Result> {
  readonly result: Result
  /**
   * Excludes the time in which the system ran other processes instead, if the system reports it (Linux). Zero if clocks are too
   * coarse.
   */
  readonly workedMs: number
}

/** Runs work, during which this process does nothing else, and times it. */
export async function timed<Result>(work: () => MaybePromise<Result>): Promise<Timed<Result>> {
  const began = performance.now()
  const delayedBefore = delayMs()
  const result = await work()
  // Read before the clock, so that no delay outside of the measured time is subtracted.
  const delayed = delayMs() - delayedBefore
  return { result, workedMs: Math.max(0, performance.now() - began - delayed) }
}

/** Nanoseconds that the main thread ran, nanoseconds that it waited for a core, and the number of its time slices. */
const SCHEDULE = '/proc/self/schedstat'
const DELAY = /^\d+ (\d+) /

const schedule = openSchedule()
const text = Buffer.alloc(64)

/** Returns the milliseconds for which the main thread has waited for a core; zero if the system does not report them. */
function delayMs(): number {
  if (schedule === undefined) return 0
  const [, nanoseconds = '0'] =
    DELAY.exec(text.toString('latin1', 0, readSync(schedule, text, 0, 64, 0))) ?? []
  return Number(nanoseconds) / 1e6
}

function openSchedule(): number | undefined {
  try {
    return openSync(SCHEDULE, 'r')
  } catch {
    return undefined
  }
}
