/** The faults of `npm run chaos`, and their findings. */

/** Extent to which a fault is run. */
export interface Effort {
  /** True to run all faults in a few minutes, as `.ci/run` does; otherwise as long as the figures need. */
  readonly short: boolean
  /** Duration of a long-running fault in minutes, in place of its default. */
  readonly minutes?: number | undefined
}

/** Outcome of a fault on this machine. */
export interface Finding {
  /** Undefined if the fault could not be run on this machine; the figure then states the reason. */
  readonly passed: boolean | undefined
  /** One line: the actions with their counts, and the measurements. */
  readonly figure: string
}

/** Brings a world into trouble and judges the result. Leaves no process and no file behind. */
export type Fault = (effort: Effort) => Promise<Finding>

/** Finding of a fault that cannot be run on this machine. */
export function notRun(reason: string): Finding {
  return { passed: undefined, figure: `not run: ${reason}` }
}

/** Finding with counts of violated invariants by name; the fault has passed if all are zero. */
export function finding(figure: string, mistakes: Readonly<Record<string, number>>): Finding {
  const found = Object.entries(mistakes).map(([name, count]) => `${count} ${name}`)
  return {
    passed: Object.values(mistakes).every((count) => count === 0),
    figure: [figure, ...found].join('; '),
  }
}
