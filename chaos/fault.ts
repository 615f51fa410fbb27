/** Defines the faults of `npm run chaos` and their findings. */

/** Extent and duration of a fault. */
export interface Effort {
  /** True to run all faults within a few minutes, as `.ci/run` does. Otherwise they run as long as the figures require. */
  readonly short: boolean
  /** Duration of a long-running fault in minutes, instead of its default. */
  readonly minutes?: number | undefined
}

/** Outcome of running a fault on this machine. */
export interface Finding {
  /** True if the fault passed, or undefined if it could not be run on this machine. `figure` then states the reason. */
  readonly passed: boolean | undefined
  /** Summary of the actions and measurements, in one line. */
  readonly figure: string
}

/** Injects a fault into a world and judges the result. Must leave no process and no file behind. */
export type Fault = (effort: Effort) => Promise<Finding>

/** Returns the finding of a fault that cannot be run on this machine. */
export function notRun(reason: string): Finding {
  return { passed: undefined, figure: `not run: ${reason}` }
}

/** Returns a finding with named counts of violated invariants. The fault has passed if all counts are zero. */
export function finding(figure: string, mistakes: Readonly<Record<string, number>>): Finding {
  const found = Object.entries(mistakes).map(([name, count]) => `${count} ${name}`)
  return {
    passed: Object.values(mistakes).every((count) => count === 0),
    figure: [figure, ...found].join('; '),
  }
}
