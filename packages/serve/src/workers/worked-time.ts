/** How long something kept this process at work. */
import { openSync, readSync } from 'node:fs'
import type { MaybePromise } from '@worldwright/core/store'

/** What a call came to, and how long it worked, in milliseconds. */
export interface Timed<Result> {
  readonly result: Result
  /**
   * Without the time in which the system let other processes run instead, where it says so (Linux). Zero where clocks are
   * too coarse.
   */
  readonly workedMs: number
}

/** Does some work, during which this process does nothing else, and times it. */
export async function timed<Result>(work: () => MaybePromise<Result>): Promise<Timed<Result>> {
  const began = performance.now()
  const delayedBefore = delayMs()
  const result = await work()
  // Read before the clock is: no delay counts that is not in the time.
  const delayed = delayMs() - delayedBefore
  return { result, workedMs: Math.max(0, performance.now() - began - delayed) }
}

/** Nanoseconds that the main thread ran, that it could have and did not, and how often it began. */
const SCHEDULE = '/proc/self/schedstat'
const DELAY = /^\d+ (\d+) /

const schedule = openSchedule()
const text = Buffer.alloc(64)

/** Milliseconds in which the main thread could have run, and did not. Zero where the system does not say. */
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
