/** What a fault of `npm run chaos` is, and what it found. */

/** How much of a fault is run. */
export interface Effort {
  /** Minutes for all faults together, as `.ci/run` does; else as long as the figures need. */
  readonly short: boolean
  /** Minutes that a fault which goes on for long takes, in place of its own. */
  readonly minutes?: number | undefined
}

/** What a fault came to. */
export interface Finding {
  /** Undefined if it could not be run on this machine; the figure then says why. */
  readonly passed: boolean | undefined
  /** One line: what was done how often, and what was measured. */
  readonly figure: string
}

/** A fault: brings a world into trouble, and judges how it fares. Leaves no process and no file behind. */
export type Fault = (effort: Effort) => Promise<Finding>

/** What a fault says that cannot be run here. */
export function notRun(reason: string): Finding {
  return { passed: undefined, figure: `not run: ${reason}` }
}

/** What could not be: counts under their names; a fault has passed where all are zero. */
export function finding(figure: string, mistakes: Readonly<Record<string, number>>): Finding {
  const found = Object.entries(mistakes).map(([name, count]) => `${count} ${name}`)
  return {
    passed: Object.values(mistakes).every((count) => count === 0),
    figure: [figure, ...found].join('; '),
  }
}
