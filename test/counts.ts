/** Adds up the test counts of all runs that `run.ts` starts. */

/** Test counts of a single run, by outcome. */
export interface Counts {
  readonly tests: number
  readonly passed: number
  readonly failed: number
  readonly cancelled: number
  readonly skipped: number
  readonly todo: number
  /** Skipped tests, keyed by the reason for skipping them. */
  readonly notRun: Readonly<Record<string, NotRun>>
}

/** Number of tests skipped for the same reason, and files skipped as a whole. */
export interface NotRun {
  readonly tests: number
  /** Files all of whose tests are represented by a single skipped test. */
  readonly files: readonly string[]
}

/** Name prefix of a test that stands for all tests of a file. The rest of its name is the file. */
const ALL_OF = 'all tests of '

/** Returns the skipped tests with the test called `name` added. */
export function withSkipped({ tests, files }: NotRun = { tests: 0, files: [] }, name: string): NotRun {
  return name.startsWith(ALL_OF)
    ? { tests, files: [...files, name.slice(ALL_OF.length)] }
    : { tests: tests + 1, files }
}

/** Returns the last lines of the output: the skipped tests with the reasons, then the totals. */
export function summaryOf(runs: readonly Counts[], milliseconds: number): string {
  const total = (name: keyof Omit<Counts, 'notRun'>) => runs.reduce((sum, counts) => sum + counts[name], 0)
  return `all ${runs.length} runs together:
${notRunLines(runs).join('')}ℹ tests ${total('tests')}
ℹ pass ${total('passed')}
ℹ fail ${total('failed')}
ℹ cancelled ${total('cancelled')}
ℹ skipped ${total('skipped')}
ℹ todo ${total('todo')}
ℹ duration_ms ${Math.round(milliseconds)}
`
}

/** Returns one line per reason, starting with the reason for skipping the most tests. */
function notRunLines(runs: readonly Counts[]): string[] {
  const all = Map.groupBy(
    runs.flatMap(({ notRun }) => Object.entries(notRun)),
    ([reason]) => reason.replace(/^not run: /, ''),
  )
  return [...all]
    .map(([reason, entries]) => ({
      reason,
      tests: entries.reduce((sum, [, { tests }]) => sum + tests, 0),
      files: entries.flatMap(([, { files }]) => files),
    }))
    .toSorted((one, other) => other.tests - one.tests)
    .map(({ reason, tests, files }) => {
      const counted = tests === 0 ? [] : [tests === 1 ? '1 test' : `${tests} tests`]
      const what = [...counted, ...files.map((file) => `all of ${file}`)].join(' and ')
      return `not run: ${what}, ${reason}\n`
    })
}
